package dev.waybill.proof.role;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A transfer on the wire: the session is the account that receives.
 *
 * @param id of the message
 * @param account that receives, and the session
 * @param cents the amount
 */
record Transfer(String id, String account, long cents) {
    static Transfer read(String id, String account, String body) {
        return new Transfer(id, account, Long.parseLong(body.substring(0, body.indexOf(' '))));
    }

    /** The amount, and padding so that bodies differ in size. */
    String body() {
        return cents + " " + "x".repeat((int) (lot("body") % 300));
    }

    /** A number that depends on the id and the question alone, the same in each process. */
    long lot(String question) {
        return lot(id, question);
    }

    static long lot(String id, String question) {
        var crc = new CRC32();
        crc.update((question + "/" + id).getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** Whether a consumer cannot handle it before the operator has cured it. */
    boolean isPoisonFor(String consumer) {
        return lot("poison of " + consumer) % 3_000 == 0;
    }
}
