// OpenSSL 3 libcrypto: keys, signatures, digests, certificates. What it declares as macros or with
// variable arguments, which Swift cannot import, stands here as functions.
#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// A new key on the curve P-256; NULL if there is no memory or no chance left.
static inline EVP_PKEY *ccrypto_generate_p256(void) { return EVP_EC_gen("P-256"); }

// Whether a key is one of the curve P-256.
static inline int ccrypto_is_p256(const EVP_PKEY *key) {
  char name[32];
  size_t length = 0;
  return EVP_PKEY_is_a(key, "EC") &&
         EVP_PKEY_get_group_name(key, name, sizeof name, &length) == 1 &&
         OBJ_txt2nid(name) == NID_X9_62_prime256v1;
}

// A list of certificates that does not own them.
static inline STACK_OF(X509) * ccrypto_list(X509 *certificate) {
  STACK_OF(X509) *list = sk_X509_new_null();
  if (list != NULL && !sk_X509_push(list, certificate)) {
    sk_X509_free(list);
    return NULL;
  }
  return list;
}

static inline void ccrypto_list_free(STACK_OF(X509) * list) { sk_X509_free(list); }

// The certificates of the path that was built, 0 before there is one.
static inline int ccrypto_path_length(X509_STORE_CTX *context) {
  STACK_OF(X509) *path = X509_STORE_CTX_get0_chain(context);
  return path == NULL ? 0 : sk_X509_num(path);
}

// One of them; it belongs to the context.
static inline X509 *ccrypto_path_certificate(X509_STORE_CTX *context, int index) {
  return sk_X509_value(X509_STORE_CTX_get0_chain(context), index);
}

// Writes a certificate's subject for people: `CN = …, O = …`. What is not ASCII stays as it is.
static inline int ccrypto_print_subject(BIO *out, const X509 *certificate) {
  return X509_NAME_print_ex(out, X509_get_subject_name(certificate), 0,
                            XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}

// The bytes that a memory BIO holds.
static inline long ccrypto_memory(BIO *memory, char **start) {
  return BIO_get_mem_data(memory, start);
}

#endif
