package dev.waybill.standalone.console.access;

import java.util.function.Consumer;

/** A one-time token in the log, for a console without another sign-in method. After its use, a new one is logged. Thread-safe. */
final class StartToken {
    private final Consumer<String> told;
    private String token = Secrets.random();

    /** @param told receives each token */
    StartToken(Consumer<String> told) {
        this.told = told;
    }

    /** Logs the first token. */
    synchronized void tell() {
        told.accept(token);
    }

    /** Whether the token is valid; uses it up. */
    synchronized boolean exchange(String given) {
        if (!Secrets.areEqual(token, given)) {
            return false;
        }
        token = Secrets.random();
        told.accept(token);
        return true;
    }
}
