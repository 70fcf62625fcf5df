package dev.waybill.servicebus.embedded.transaction;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;

/**
 * Limits the open transactions of a broker: clients may leave them open until the timeout, so their number and memory are bounded.
 * Azure documents no such limits.
 */
public final class OpenTransactions {
    static final int MOST_OF_A_CONNECTION = 500;
    static final int MOST = 5_000;
    static final long MOST_BYTES = 256L * 1024 * 1024;

    private int open;
    private long bytes;

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
