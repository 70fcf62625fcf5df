package dev.waybill.walletforge.demo.encryption;

import org.jspecify.annotations.Nullable;

/** A message, or what travels with it, is not as its writer made it. No other attempt will change that. */
public final class TamperedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TamperedMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
