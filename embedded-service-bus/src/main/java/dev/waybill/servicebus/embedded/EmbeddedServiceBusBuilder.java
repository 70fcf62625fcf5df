package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Describes a broker before it starts. Used by one thread. */
public final class EmbeddedServiceBusBuilder {
    private final Map<String, QueueOptions> queues = new LinkedHashMap<>();
    private final Map<String, TopicOptions> topics = new LinkedHashMap<>();
    private int port;
    private int administrationPort = -1;
    private int journalLimit = 1_000_000;
    private long faultSeed = 1;
    private int maxMessageBytes = 256 * 1024;

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

    /** How many records of each kind are kept per entity; the oldest go first. Default: 1,000,000. */
    public EmbeddedServiceBusBuilder journalLimit(int records) {
        this.journalLimit = records;
        return this;
    }

    /** The seed of faults by probability. Default: 1. */
    public EmbeddedServiceBusBuilder faultSeed(long seed) {
        this.faultSeed = seed;
        return this;
    }

    /** The largest message or batch, in bytes, where an entity does not say otherwise. Default: 256 KiB. */
    public EmbeddedServiceBusBuilder maxMessageBytes(int bytes) {
        this.maxMessageBytes = bytes;
        return this;
    }

    /**
     * Starts the broker.
     *
     * @throws java.io.UncheckedIOException if it cannot listen on its port
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

    int journalLimit() {
        return journalLimit;
    }

    long faultSeed() {
        return faultSeed;
    }

    Limits limits() {
        return new Limits(maxMessageBytes, 64 * 1024, 128);
    }
}
