package dev.waybill.inbox;

/**
 * How often a message may come again before it has failed for good.
 *
 * @param maxDeliveries on an entity without sessions: a message that failed in this delivery, or a later one, is
 *     dead-lettered instead of abandoned
 * @param maxCloses inside a session: how often in a row the session is given back because the message would not be done
 * @param maxStarts how often the handling of a redelivered message may begin without any end, which is what a message
 *     that kills its process leaves behind; counted from the second delivery on
 */
public record DeliveryPolicy(int maxDeliveries, int maxCloses, int maxStarts) {
    /** 5 deliveries, 10 closes, 3 starts. */
    public static final DeliveryPolicy DEFAULT = new DeliveryPolicy(5, 10, 3);

    /** Refuses numbers below 1. */
    public DeliveryPolicy {
        if (maxDeliveries < 1 || maxCloses < 1 || maxStarts < 1) {
            throw new IllegalArgumentException("A delivery policy needs numbers of at least 1");
        }
    }

    /** @throws IllegalStateException if the broker would dead-letter, without a word of why, before this policy does */
    void check(EntityDescription facts) {
        // The first delivery is not counted as a start, and one more finds the count reached.
        int deliveries = Math.max(facts.sessions() ? 1 : maxDeliveries, maxStarts + 2);
        if (!facts.deletesOnReceive() && deliveries > facts.maxDeliveryCount()) {
            throw new IllegalStateException("'" + facts.path() + "' dead-letters after " + facts.maxDeliveryCount()
                    + " deliveries by itself, but " + this + " needs " + deliveries
                    + "; raise the entity's maximum delivery count or lower the policy's numbers");
        }
    }
}
