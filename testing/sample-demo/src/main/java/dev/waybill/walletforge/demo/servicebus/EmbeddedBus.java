package dev.waybill.walletforge.demo.servicebus;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.SubscriptionOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.filter.CorrelationFilter;
import dev.waybill.walletforge.demo.proof.BrokerObserver;
import dev.waybill.walletforge.servicebus.Entities;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.time.Duration;

/** A broker in this process, whose journal is the witness. */
public final class EmbeddedBus implements Bus {
    private static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(10);

    // A lost lock counts as a failed delivery; with faults about, no message shall end as a dead letter for that.
    private static final int MAX_DELIVERIES = 1_000;
    private static final long RECORDS_PER_PAYMENT = 10;

    private final EmbeddedServiceBus broker;

    private EmbeddedBus(EmbeddedServiceBus broker) {
        this.broker = broker;
    }

    /**
     * Starts a broker with the queue.
     *
     * @param payments how many its journal must have room for
     * @param lockDuration how long a settlement that was lost stays unnoticed
     * @param seed of its faults
     */
    public static EmbeddedBus start(int payments, Duration lockDuration, long seed) {
        return new EmbeddedBus(EmbeddedServiceBus.builder()
                .queue(
                        Entities.WALLET_TX,
                        queue -> queue.requiresSession()
                                .duplicateDetection(DUPLICATE_WINDOW)
                                .lockDuration(lockDuration)
                                .maxDeliveryCount(MAX_DELIVERIES))
                .topic(Entities.WALLET_EVENTS, topic -> events(topic, lockDuration))
                .queue(
                        Entities.ARCHIVE,
                        queue -> queue.lockDuration(lockDuration).maxDeliveryCount(MAX_DELIVERIES))
                .queue(
                        Entities.STATEMENTS,
                        queue -> queue.duplicateDetection(DUPLICATE_WINDOW).maxDeliveryCount(MAX_DELIVERIES))
                .journalLimit(Math.toIntExact(1_000 + RECORDS_PER_PAYMENT * payments))
                .faultSeed(seed)
                .start());
    }

    private static TopicOptions events(TopicOptions topic, Duration lockDuration) {
        var large = "amountCents >= " + Entities.SUSPICIOUS_CENTS;
        var customers =
                CorrelationFilter.builder().property("audience", "customer").build();
        return topic.duplicateDetection(DUPLICATE_WINDOW)
                .subscription(Entities.FRAUD, it -> lasting(it, lockDuration).sqlRule("large", large))
                .subscription(
                        Entities.NOTIFICATIONS, it -> lasting(it, lockDuration).rule("customers", customers))
                .subscription(Entities.LEDGER_ARCHIVE, it -> it.forwardTo(Entities.ARCHIVE))
                .subscription(
                        Entities.ANALYTICS, it -> lasting(it, lockDuration).requiresSession());
    }

    private static SubscriptionOptions lasting(SubscriptionOptions subscription, Duration lockDuration) {
        return subscription.lockDuration(lockDuration).maxDeliveryCount(MAX_DELIVERIES);
    }

    /** Makes the broker fail. */
    public Faults faults() {
        return broker.faults();
    }

    /** How many sends of single messages were taken so far, those included that were dropped as duplicates. */
    public long sends() {
        return published() + repeats();
    }

    /** How many sends of single messages the broker dropped, because it had the message already. */
    public long repeats() {
        return broker.journal(Entities.WALLET_TX).duplicates().size();
    }

    /** Whether a message of this id has been stored. Looks through everything. */
    public boolean hasStored(String messageId) {
        return broker.journal(Entities.WALLET_TX).stored().stream()
                .anyMatch(message -> messageId.equals(message.messageId()));
    }

    @Override
    public ServiceBusAddress address() {
        return new ServiceBusAddress(broker.connectionString());
    }

    @Override
    public BrokerObserver witness() {
        return new JournalObserver(broker.journal(Entities.WALLET_TX));
    }

    @Override
    public long published() {
        return broker.journal(Entities.WALLET_TX).storedCount();
    }

    @Override
    public long delivered() {
        return broker.journal(Entities.WALLET_TX).deliveryCount();
    }

    @Override
    public boolean isDrained() {
        return broker.inspect(Entities.WALLET_TX).active() == 0;
    }

    @Override
    public void close() {
        broker.close();
    }
}
