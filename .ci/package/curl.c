// libcurl for a static binary: the functions that Foundation calls, loaded when the first one is called.
//
// Only 'pushcrypt preview --attachments' downloads. So the tool starts without libcurl and its 30 libraries, and the
// package recommends libcurl instead of depending on it. The list is complete: the linker reports a missing function.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
}

static void *find(const char *name) {
    pthread_once(&once, load);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        static const char text[] = "pushcrypt: error: libcurl.so.4 can't be loaded. Install the package libcurl4.\n";
        if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {}
        _exit(1);
    }
    return function;
}

// Every argument and result is an integer or a pointer, and at most six are passed. On x86-64 and arm64, they are in the
// same registers, whatever their types are, also for functions with variable arguments.
typedef void *function(void *, ...);

#define FORWARD(name)                                                            \
    void *name(void *a, void *b, void *c, void *d, void *e, void *f) {           \
        static function *real;                                                   \
        function *found = __atomic_load_n(&real, __ATOMIC_ACQUIRE);              \
        if (!found) {                                                            \
            found = (function *)find(#name);                                     \
            __atomic_store_n(&real, found, __ATOMIC_RELEASE);                    \
        }                                                                        \
        return found(a, b, c, d, e, f);                                          \
    }

FORWARD(curl_easy_cleanup)
FORWARD(curl_easy_getinfo)
FORWARD(curl_easy_init)
FORWARD(curl_easy_pause)
FORWARD(curl_easy_setopt)
FORWARD(curl_easy_strerror)
FORWARD(curl_free)
FORWARD(curl_global_init)
FORWARD(curl_multi_add_handle)
FORWARD(curl_multi_assign)
FORWARD(curl_multi_cleanup)
FORWARD(curl_multi_info_read)
FORWARD(curl_multi_init)
FORWARD(curl_multi_remove_handle)
FORWARD(curl_multi_setopt)
FORWARD(curl_multi_socket_action)
FORWARD(curl_slist_append)
FORWARD(curl_slist_free_all)
FORWARD(curl_url)
FORWARD(curl_url_get)
FORWARD(curl_url_set)
FORWARD(curl_version)
FORWARD(curl_version_info)
