package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Describes a broker before it starts. Used by one thread. */
public final class EmbeddedServiceBusBuilder {
    private final Map<String, QueueOptions> queues = new LinkedHashMap<>();
    private final Map<String, TopicOptions> topics = new LinkedHashMap<>();
    private int port;
    private int administrationPort = -1;
    private final Map<String, String> accessKeys = new LinkedHashMap<>();
    private @Nullable SSLContext tls;
    private int journalLimit = 250_000;
    private long faultSeed = 1;
    private Limits limits = Limits.of(Tier.STANDARD);

    EmbeddedServiceBusBuilder() {}

    /** Adds a queue with default settings. */
    public EmbeddedServiceBusBuilder queue(String name) {
        return queue(name, QueueOptions.defaults());
    }

    /** Adds a queue; the function turns the default settings into its own. */
    public EmbeddedServiceBusBuilder queue(String name, UnaryOperator<QueueOptions> settings) {
        return queue(name, settings.apply(QueueOptions.defaults()));
    }

    /** Adds a queue. */
    public EmbeddedServiceBusBuilder queue(String name, QueueOptions options) {
        queues.put(name, options);
        return this;
    }

    /** Adds a topic; the function turns the default settings into its own, subscriptions included. */
    public EmbeddedServiceBusBuilder topic(String name, UnaryOperator<TopicOptions> settings) {
        return topic(name, settings.apply(TopicOptions.defaults()));
    }

    /** Adds a topic. */
    public EmbeddedServiceBusBuilder topic(String name, TopicOptions options) {
        topics.put(name, options);
        return this;
    }

    /** The port to listen on; 0 takes any free one. Default: 0. */
    public EmbeddedServiceBusBuilder port(int port) {
        this.port = port;
        return this;
    }

    /** Serves administration over HTTP on this port; 0 takes any free one. Default: it is not served. */
    public EmbeddedServiceBusBuilder administrationPort(int port) {
        this.administrationPort = port;
        return this;
    }

    /** Checks clients' tokens against this key, and others given so. Default: no key, and every token is good. */
    public EmbeddedServiceBusBuilder accessKey(String name, String key) {
        accessKeys.put(name, key);
        return this;
    }

    /** Speaks TLS with this identity, and nothing else, to clients. Default: plain TCP. */
    public EmbeddedServiceBusBuilder tls(SSLContext identity) {
        this.tls = identity;
        return this;
    }

    /** How many records of each kind are kept per entity; the oldest go first. Default: 250,000. */
    public EmbeddedServiceBusBuilder journalLimit(int records) {
        this.journalLimit = records;
        return this;
    }

    /** The seed of faults by probability. Default: 1. */
    public EmbeddedServiceBusBuilder faultSeed(long seed) {
        this.faultSeed = seed;
        return this;
    }

    /** What the namespace can do. Default: {@link Tier#STANDARD}. */
    public EmbeddedServiceBusBuilder tier(Tier tier) {
        this.limits = Limits.of(tier);
        return this;
    }

    /** The largest message or batch, in bytes, where an entity does not say otherwise. Default: the tier's. */
    public EmbeddedServiceBusBuilder maxMessageBytes(int bytes) {
        this.limits = limits.withMessageBytes(bytes);
        return this;
    }

    /**
     * Starts the broker.
     *
     * @throws java.io.UncheckedIOException if it cannot listen on its port
     * @throws IllegalArgumentException if two entities have the same name, or the tier has no such entities
     */
    public EmbeddedServiceBus start() {
        return new EmbeddedServiceBus(this);
    }

    Map<String, QueueOptions> queues() {
        return queues;
    }

    Map<String, TopicOptions> topics() {
        return topics;
    }

    int port() {
        return port;
    }

    int administrationPort() {
        return administrationPort;
    }

    Map<String, String> accessKeys() {
        return accessKeys;
    }

    @Nullable SSLContext tls() {
        return tls;
    }

    int journalLimit() {
        return journalLimit;
    }

    long faultSeed() {
        return faultSeed;
    }

    Limits limits() {
        return limits;
    }
}
