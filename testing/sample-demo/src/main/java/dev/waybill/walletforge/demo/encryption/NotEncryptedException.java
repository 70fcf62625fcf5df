package dev.waybill.walletforge.demo.encryption;

/** A message came in plain text where only encrypted ones are taken. */
public final class NotEncryptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotEncryptedException(String message) {
        super(message);
    }
}
