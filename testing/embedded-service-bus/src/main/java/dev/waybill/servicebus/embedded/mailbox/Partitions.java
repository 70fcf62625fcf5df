package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import java.util.List;
import java.util.Objects;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** Assigns messages of a partitioned entity to partitions, by session or partition key. */
public final class Partitions {
    private static final Symbol PARTITION_KEY = Symbol.valueOf("x-opt-partition-key");
    private static final int COUNT = 16;
    private static final int NUMBER_BITS = 48;

    private Partitions() {}

    /** The partition key; null for any partition. */
    public static @Nullable String keyOf(BrokerMessage message) {
        Object key = message.annotation(PARTITION_KEY);
        String session = message.sessionId();
        if (session != null) {
            return Session.key(session);
        }
        return key == null ? null : key.toString();
    }

    /** Rejects messages of different partitions. */
    static void check(List<BrokerMessage> messages) {
        for (BrokerMessage message : messages) {
            Object key = message.annotation(PARTITION_KEY);
            if (key != null && message.sessionId() != null && !key.equals(message.sessionId())) {
                throw new Refused(
                        BrokerError.NOT_ALLOWED,
                        "The PartitionKey '" + key + "' and the SessionId '" + message.sessionId() + "' differ.");
            }
            if (!Objects.equals(keyOf(message), keyOf(messages.get(0)))) {
                throw new Refused(
                        BrokerError.NOT_ALLOWED,
                        "The messages of a batch for a partitioned entity must have one session or partition key.");
            }
        }
    }

    /** A sequence number whose highest bits are the partition. */
    public static long number(BrokerMessage message, long ordinal) {
        String key = keyOf(message);
        long partition = key == null ? ordinal % COUNT : Math.floorMod(key.hashCode(), COUNT);
        return partition << NUMBER_BITS | ordinal;
    }
}
