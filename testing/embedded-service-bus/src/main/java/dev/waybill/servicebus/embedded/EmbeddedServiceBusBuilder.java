package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.mailbox.Limits;
import dev.waybill.servicebus.embedded.security.AccessKey;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.net.InetAddress;
import java.util.EnumSet;
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
    private InetAddress address = InetAddress.getLoopbackAddress();
    private final Map<String, AccessKey> accessKeys = new LinkedHashMap<>();
    private @Nullable TestTokens testTokens;
    private @Nullable SSLContext tls;
    private @Nullable TlsIdentity identity;
    private int journalLimit = 250_000;
    private long faultSeed = 1;
    private int creditsPerSecond;
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

    /**
     * The address to listen on. Default: the loopback address, which nobody outside this machine reaches. A broker
     * in a container has to listen on another.
     */
    public EmbeddedServiceBusBuilder address(InetAddress address) {
        this.address = address;
        return this;
    }

    /**
     * Checks clients' tokens against this key, which has every right, and others given so. Default: no key, and
     * every token is good.
     */
    public EmbeddedServiceBusBuilder accessKey(String name, String key) {
        return accessKey(name, key, AccessRight.MANAGE);
    }

    /**
     * As {@link #accessKey(String, String)}, for a key with these rights only. The right to manage holds the
     * others.
     */
    public EmbeddedServiceBusBuilder accessKey(String name, String key, AccessRight right, AccessRight... more) {
        accessKeys.put(name, new AccessKey(key, EnumSet.of(right, more)));
        return this;
    }

    /**
     * Takes this issuer's tokens in the place of those of Microsoft Entra, and checks them. Default: none; then
     * tokens of Entra are refused if there is a key, and are good unread if there is none.
     */
    public EmbeddedServiceBusBuilder testTokens(TestTokens tokens) {
        this.testTokens = tokens;
        return this;
    }

    /** Speaks TLS with this identity, and nothing else, to clients. Default: plain TCP. */
    public EmbeddedServiceBusBuilder tls(SSLContext context) {
        this.tls = context;
        return this;
    }

    /**
     * Speaks TLS with an identity of its own that is made now, for localhost. Clients learn to trust it by
     * {@link EmbeddedServiceBus#tlsIdentity()}.
     */
    public EmbeddedServiceBusBuilder tls() {
        return tls(TlsIdentity.create());
    }

    /** Speaks TLS with this identity, which several brokers may share. */
    public EmbeddedServiceBusBuilder tls(TlsIdentity own) {
        this.identity = own;
        return tls(own.server());
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

    /** The tier of the namespace, which decides what it can do. Default: {@link Tier#STANDARD}. */
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
     * Tells clients that the server is busy when they do more than this in a second: each message sent and each
     * request to a management node costs one. Service Bus gives a Standard namespace 1,000. Default: 0, without
     * limit.
     */
    public EmbeddedServiceBusBuilder creditsPerSecond(int credits) {
        if (credits < 0) {
            throw new IllegalArgumentException("Credits per second cannot be less than 0: " + credits);
        }
        this.creditsPerSecond = credits;
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

    InetAddress address() {
        return address;
    }

    Map<String, AccessKey> accessKeys() {
        return accessKeys;
    }

    @Nullable TestTokens testTokens() {
        return testTokens;
    }

    @Nullable SSLContext tlsContext() {
        return tls;
    }

    @Nullable TlsIdentity identity() {
        return identity;
    }

    int journalLimit() {
        return journalLimit;
    }

    long faultSeed() {
        return faultSeed;
    }

    int creditsPerSecond() {
        return creditsPerSecond;
    }

    Limits limits() {
        return limits;
    }
}
