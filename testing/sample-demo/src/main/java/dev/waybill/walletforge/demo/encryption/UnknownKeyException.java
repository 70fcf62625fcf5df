package dev.waybill.walletforge.demo.encryption;

/** A message names a key that is not here. It can be handled once the key is back. */
public final class UnknownKeyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownKeyException(String message) {
        super(message);
    }
}
