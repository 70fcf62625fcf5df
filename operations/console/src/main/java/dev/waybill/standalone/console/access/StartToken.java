package dev.waybill.standalone.console.access;

import java.util.function.Consumer;

/**
 * The token of a console that has no other way to sign in: whoever reads the log may. It is good for one sign-in; the
 * next one is told then. Thread-safe.
 */
final class StartToken {
    private final Consumer<String> told;
    private String token = Secrets.random();

    /** @param told is given each token once */
    StartToken(Consumer<String> told) {
        this.told = told;
    }

    /** Tells the first one. */
    synchronized void tell() {
        told.accept(token);
    }

    /** Whether it is the token; if so, it is used up. */
    synchronized boolean exchange(String given) {
        if (!Secrets.areEqual(token, given)) {
            return false;
        }
        token = Secrets.random();
        told.accept(token);
        return true;
    }
}
