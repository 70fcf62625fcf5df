package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;

/**
 * The room that all open transactions of a broker take up. A client may leave them open until their time is over, so that
 * their number and the memory of what they send are bounded. Azure tells no such limits.
 */
public final class OpenTransactions {
    static final int MOST_OF_A_CONNECTION = 500;
    static final int MOST = 5_000;
    static final long MOST_BYTES = 256L * 1024 * 1024;

    private int open;
    private long bytes;

    /** One more of a connection that has so many; refuses if that is too many. */
    void begin(int ofConnection) {
        if (ofConnection >= MOST_OF_A_CONNECTION) {
            throw tooMany("A connection has at most " + MOST_OF_A_CONNECTION + " open transactions.");
        }
        if (open >= MOST) {
            throw tooMany("There are at most " + MOST + " open transactions.");
        }
        open++;
    }

    void end(long itsBytes) {
        open--;
        bytes -= itsBytes;
    }

    /** Refuses messages for which there is no more memory. */
    void requireRoom(long more) {
        if (more > MOST_BYTES - bytes) {
            throw tooMany("Open transactions hold at most " + MOST_BYTES / (1024 * 1024) + " MiB of messages.");
        }
    }

    void hold(long more) {
        bytes += more;
    }

    private static Refused tooMany(String limit) {
        return new Refused(BrokerError.RESOURCE_LIMIT_EXCEEDED, limit + " Commit some, or roll them back.");
    }
}
