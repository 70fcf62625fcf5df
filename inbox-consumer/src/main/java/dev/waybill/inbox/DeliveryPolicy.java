package dev.waybill.inbox;

/**
 * How often a message may come again before it fails finally.
 *
 * @param maxDeliveries entities without sessions: a message that fails in this delivery or later is dead-lettered, not abandoned
 * @param maxCloses sessions: how often in a row a message may cause its session to be given back
 * @param maxStarts how often the handling of a redelivered message may start without an end, as when the message kills its process;
 *     counted from the second delivery
 */
public record DeliveryPolicy(int maxDeliveries, int maxCloses, int maxStarts) {
    public static final DeliveryPolicy DEFAULT = new DeliveryPolicy(5, 10, 3);

    public DeliveryPolicy {
        if (maxDeliveries < 1 || maxCloses < 1 || maxStarts < 1) {
            throw new IllegalArgumentException("A delivery policy's numbers must be at least 1: " + maxDeliveries + ", "
                    + maxCloses + ", " + maxStarts);
        }
    }

    // The broker must not dead-letter messages earlier than this policy, without the consumer's reason.
    void check(EntityDescription facts) {
        // The first delivery does not count as a start, and the delivery after the last counted start still reads the
        // count.
        int deliveries = Math.max(facts.sessions() ? 1 : maxDeliveries, maxStarts + 2);
        if (!facts.deletesOnReceive() && deliveries > facts.maxDeliveryCount()) {
            throw new IllegalStateException("'" + facts.path() + "' dead-letters after " + facts.maxDeliveryCount()
                    + " deliveries, but " + this + " needs " + deliveries
                    + "; raise the entity's maximum delivery count or lower the policy's numbers");
        }
    }
}
