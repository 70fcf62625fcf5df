package dev.waybill.walletforge.notification;

import java.io.IOException;

/** Sends e-mails. No transaction covers that, so it must bear repetition. */
public interface Mailer {
    /**
     * Sends a mail, or does nothing if one of this key was sent before.
     *
     * @param key the same for each repeat; file names can hold it
     */
    void send(String key, String text) throws IOException;
}
