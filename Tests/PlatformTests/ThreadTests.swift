import Glibc
import Testing

@testable import Platform

@Suite("Threads and what the watchdog sees of them")
struct ThreadTests {
  @Test("a thread that waits is alive, one that has been at a job for too long is not")
  func progress() {
    let progress = ThreadProgress(jobMillisecondsMax: 5000)
    let now = MachineClock.milliseconds(CLOCK_BOOTTIME)
    #expect(progress.isAlive(at: now))
    progress.begin()
    #expect(progress.isAlive(at: now + 4000))
    #expect(!progress.isAlive(at: now + 60_000))
    progress.end()
    #expect(progress.isAlive(at: now + 60_000))
    #expect(progress.jobCount == 1)
  }

  @Test("signals of a waker are kept until they are taken, and many are one")
  func waker() throws {
    let waker = try Waker(isBlocking: false)
    #expect(!waker.wait(milliseconds: 0))
    waker.signal()
    waker.signal()
    #expect(waker.wait(milliseconds: 0))
    #expect(!waker.wait(milliseconds: 0))
  }

  @Test("things are taken from a mailbox in their order, across threads")
  func mailbox() throws {
    let mailbox = Mailbox<Int>()
    let waker = try Waker(isBlocking: true)
    try startThread {
      for number in 0..<10_000 { mailbox.put(number) }
      waker.signal()
    }
    waker.take()
    var found: [Int] = []
    while found.count < 10_000 { found += mailbox.takeAll() }
    #expect(found == Array(0..<10_000))
  }

  @Test("refused connections are said once a second, with the number of those in between")
  func refusalNotices() {
    var notices = RefusalNotices()
    #expect(notices.next("a", at: 10) == "a")
    #expect(notices.next("b", at: 11) == nil)
    #expect(notices.next("c", at: 500) == nil)
    #expect(notices.next("d", at: 1010) == "d; 2 more were before")
    #expect(notices.next("e", at: 5000) == "e")
  }
}
