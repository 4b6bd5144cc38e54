await MembershipDemo.run()
