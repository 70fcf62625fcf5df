package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.administration.AdministrationServer;
import dev.waybill.servicebus.embedded.amqp.Allowances;
import dev.waybill.servicebus.embedded.amqp.AmqpServer;
import dev.waybill.servicebus.embedded.amqp.Broker;
import dev.waybill.servicebus.embedded.amqp.Credits;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.journal.EntityJournal;
import dev.waybill.servicebus.embedded.journal.Journals;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.security.AccessKey;
import dev.waybill.servicebus.embedded.security.Authority;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import dev.waybill.servicebus.embedded.transaction.OpenTransactions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A Service Bus in this process: a broker on a loopback port that the Azure client libraries talk to as they talk
 * to the real one. State is in memory and ends with {@link #close()}. All methods may be called by any thread;
 * none waits for a client.
 *
 * <pre>{@code
 * try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
 *         .queue("orders", q -> q.requiresSession().duplicateDetection(Duration.ofMinutes(10)))
 *         .start()) {
 *     new ServiceBusClientBuilder().connectionString(bus.connectionString())...
 * }
 * }</pre>
 */
public final class EmbeddedServiceBus implements AutoCloseable {
    private final EventLoop loop;
    private final Namespace namespace;
    private final Faults faults;
    private final Journals journals;
    private final AmqpServer server;
    private final Authority authority;
    private final Map<String, AccessKey> keys;
    private final @Nullable TlsIdentity identity;
    private final boolean secure;
    private final ListenerThread listeners;
    private final @Nullable AdministrationServer administration;

    EmbeddedServiceBus(EmbeddedServiceBusBuilder settings) {
        loop = new EventLoop("embedded-service-bus", new BrokerClock(InstantSource.system()));
        journals = new Journals(settings.journalLimit());
        listeners = new ListenerThread();
        faults = new Faults(settings.faultSeed(), listeners);
        namespace = new Namespace(new BrokerContext(loop, journals, settings.limits()));
        keys = new LinkedHashMap<>(settings.accessKeys());
        authority = new Authority(keys, settings.testTokens());
        identity = settings.identity();
        secure = settings.tlsContext() != null;
        loop.start();
        try {
            loop.call(() -> {
                create(settings);
                return true;
            });
            server = loop.call(() -> listen(settings));
            administration = settings.administrationPort() < 0 ? null : administer(settings);
        } catch (RuntimeException e) {
            loop.close();
            listeners.close();
            throw e;
        }
    }

    private void create(EmbeddedServiceBusBuilder settings) {
        try {
            settings.queues().forEach(namespace::beginWithQueue);
            settings.topics().forEach(namespace::beginWithTopic);
        } catch (Refused why) {
            throw new IllegalArgumentException(why.description(), why);
        }
    }

    private AmqpServer listen(EmbeddedServiceBusBuilder settings) {
        Broker broker = new Broker(
                loop,
                namespace,
                faults,
                authority,
                new Allowances(new Credits(loop.clock(), settings.creditsPerSecond()), new OpenTransactions()),
                settings.tlsContext());
        try {
            return new AmqpServer(broker, settings.address(), settings.port());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on port " + settings.port(), e);
        }
    }

    private AdministrationServer administer(EmbeddedServiceBusBuilder settings) {
        int port = settings.administrationPort();
        try {
            return new AdministrationServer(
                    namespace,
                    settings.address(),
                    port,
                    authority,
                    settings.tlsContext(),
                    () -> loop.call(server::listening));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot serve administration on port " + port
                            + "; --administration-port, or the builder, names another",
                    e);
        }
    }

    /** Begins to describe a broker. */
    public static EmbeddedServiceBusBuilder builder() {
        return new EmbeddedServiceBusBuilder();
    }

    /** The port it listens on, by default on the loopback address only; for AMQP, and for AMQP in Web Sockets. */
    public int port() {
        return server.port();
    }

    /**
     * The connection string of a client. With plain TCP it is in the form for development emulators; with TLS,
     * clients must also be told the port, since the form for that has no place for it. The key is the first one
     * given, or any.
     */
    public String connectionString() {
        return keys.isEmpty()
                ? connectionString("RootManageSharedAccessKey", "embedded")
                : connectionString(keys.keySet().iterator().next());
    }

    /**
     * The connection string of a client with one of the keys; see {@link #connectionString()}.
     *
     * @throws IllegalArgumentException if there is no key of that name
     */
    public String connectionString(String keyName) {
        AccessKey key = keys.get(keyName);
        if (key == null) {
            throw new IllegalArgumentException("There is no key " + keyName);
        }
        return connectionString(keyName, key.secret());
    }

    private String connectionString(String keyName, String secret) {
        return (secure ? "Endpoint=sb://localhost" : "Endpoint=sb://127.0.0.1:" + server.port())
                + ";SharedAccessKeyName=" + keyName
                + ";SharedAccessKey=" + secret
                + (secure ? ";" : ";UseDevelopmentEmulator=true;");
    }

    /**
     * The identity that {@link EmbeddedServiceBusBuilder#tls()} made. Clients of this process trust it after
     * {@link TlsIdentity#trustInThisProcess()}.
     *
     * @throws IllegalStateException if the broker made none
     */
    public TlsIdentity tlsIdentity() {
        if (identity == null) {
            throw new IllegalStateException("No identity was asked for: see tls() of the builder");
        }
        return identity;
    }

    /**
     * The port on which administration is served over HTTP, and over HTTPS too if the broker speaks TLS. {@code
     * /health} answers 200 while the broker takes clients.
     *
     * @throws IllegalStateException if it is not served
     */
    public int administrationPort() {
        if (administration == null) {
            throw new IllegalStateException(
                    "Administration was not asked for: see administrationPort() of the builder");
        }
        return administration.port();
    }

    /** Makes faults happen. */
    public Faults faults() {
        return faults;
    }

    /** The journal of an entity; empty for one that has seen nothing. Case does not matter. */
    public EntityJournal journal(String entity) {
        return journals.of(entity);
    }

    /** Every entity's journal. */
    public Journals journals() {
        return journals;
    }

    /**
     * An entity as it is now: its counts, locks and sessions.
     *
     * @throws IllegalArgumentException if there is no such queue or subscription
     */
    public EntitySnapshot inspect(String entity) {
        return at(entity, MessageEntity::snapshot);
    }

    /**
     * Whether the messages of a queue or subscription belong to sessions.
     *
     * @throws IllegalArgumentException if there is no such queue or subscription
     */
    public boolean requiresSession(String entity) {
        return at(entity, found -> found.options().sessionRequired());
    }

    /** Creates a queue in the running broker. */
    public void createQueue(String name, UnaryOperator<QueueOptions> settings) {
        loop.call(() -> namespace.createQueue(name, settings.apply(QueueOptions.defaults())));
    }

    /** Creates a topic in the running broker. */
    public void createTopic(String name, UnaryOperator<TopicOptions> settings) {
        loop.call(() -> namespace.createTopic(name, settings.apply(TopicOptions.defaults())));
    }

    /** Deletes a queue or a topic with everything in it. Its clients' links are closed. */
    public void delete(String name) {
        loop.call(() -> {
            namespace.delete(name);
            return true;
        });
    }

    /** Changes the settings of a queue or subscription. Settings that are fixed at creation must stay as they are. */
    public void update(String entity, UnaryOperator<QueueOptions> change) {
        at(entity, found -> {
            found.update(change.apply(found.options()));
            return true;
        });
    }

    /**
     * Moves the broker's time ahead: locks, sessions, times to live, duplicate windows and schedules end as if
     * this long had passed, in the order of their moments. A lock that begins on the way counts from the end,
     * since nobody can renew it before. Clients are still told wall time. Returns when everything thereby due has
     * happened.
     *
     * @throws IllegalArgumentException if this is negative, or more than 1,000,000 days
     */
    public void advance(Duration by) {
        if (by.toDays() > 1_000_000) {
            throw new IllegalArgumentException("Broker time does not go that far: " + by);
        }
        loop.call(() -> {
            loop.advance(by);
            return true;
        });
    }

    /** Ends all locks of messages and sessions of an entity, as if their time had run out. */
    public void expireLocks(String entity) {
        at(entity, found -> {
            found.expireLocks();
            return true;
        });
    }

    /** Cuts every client's connection without a closing word. */
    public void dropConnections() {
        loop.call(() -> {
            server.dropConnections();
            return true;
        });
    }

    /**
     * Begins an outage: every connection is cut, and new ones are refused, until {@link #resume()}. State is kept,
     * and time goes on.
     */
    public void suspend() {
        loop.call(() -> {
            try {
                server.suspend();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        });
    }

    /**
     * Ends an outage, on the same port.
     *
     * @throws UncheckedIOException if somebody else has taken the port meanwhile; not on Linux, where it is kept
     */
    public void resume() {
        loop.call(() -> {
            try {
                server.resume();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        });
    }

    /** How many clients are connected. */
    public int connectionCount() {
        return loop.call(server::connectionCount);
    }

    private <T> T at(String path, Function<MessageEntity, T> action) {
        return loop.call(() -> {
            MessageEntity entity = namespace.entity(path);
            if (entity == null) {
                throw new IllegalArgumentException("There is no entity " + path);
            }
            return action.apply(entity);
        });
    }

    /** Stops the broker and forgets everything. Clients' connections are cut. */
    @Override
    public void close() {
        if (administration != null) {
            administration.close();
        }
        loop.post(server::goAway);
        loop.close();
        listeners.close();
    }
}
