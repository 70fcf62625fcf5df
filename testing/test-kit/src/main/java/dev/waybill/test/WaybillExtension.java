package dev.waybill.test;

import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.EmbeddedServiceBusBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a database with Waybill's tables and a broker, both of its own. Tests and their
 * {@code @BeforeEach} methods take as parameters what they need: {@link TestWaybill}, which has everything, or
 * {@link DataSource}, {@link Outbox}, {@link EmbeddedServiceBus}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue("orders",
 * QueueOptions::requiresSession))
 *         .tables("create table stock (item text primary key, pieces int not null)");
 *
 * @Test
 * void an_order_takes_from_the_stock(TestWaybill waybill) { ... }
 * }</pre>
 *
 * <p>One PostgreSQL server runs per JVM; a test's database is a copy of a template and takes some ten
 * milliseconds. Settings are made before the first test. Tests may run side by side.
 */
public final class WaybillExtension
        implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(WaybillExtension.class);

    private final UnaryOperator<EmbeddedServiceBusBuilder> broker;
    private final List<KitServer.Preparation> preparations = new ArrayList<>();
    private SchemaName schema = SchemaName.DEFAULT;
    private UnaryOperator<Outbox.Builder> outbox = UnaryOperator.identity();
    private @Nullable Supplier<DataSource> given;
    private boolean emptied;
    private int classes;

    /** For {@code @ExtendWith}; a broker without entities, which the test creates. */
    public WaybillExtension() {
        this(UnaryOperator.identity());
    }

    private WaybillExtension(UnaryOperator<EmbeddedServiceBusBuilder> broker) {
        this.broker = broker;
    }

    /** An extension with brokers of this description. */
    public static WaybillExtension with(UnaryOperator<EmbeddedServiceBusBuilder> broker) {
        return new WaybillExtension(broker);
    }

    /** The service's own tables: statements that are executed once for all tests of this extension. */
    public WaybillExtension tables(String... statements) {
        return prepared(dataSource -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
        });
    }

    /** Prepares each database by code, such as the service's own migrations. */
    public WaybillExtension prepared(Preparation preparation) {
        preparations.add(preparation::prepare);
        return this;
    }

    /** The schema of Waybill's tables. Default: {@link SchemaName#DEFAULT}. */
    public WaybillExtension schema(SchemaName name) {
        schema = name;
        return this;
    }

    public WaybillExtension outbox(UnaryOperator<Outbox.Builder> settings) {
        outbox = settings;
        return this;
    }

    /**
     * Uses a database that is there, such as that of a container or of a Spring context, in place of one per test.
     * It gets Waybill's tables, and keeps what tests write: see {@link #emptied}.
     *
     * @param dataSource asked at each test's beginning; stays the caller's
     */
    public WaybillExtension on(Supplier<DataSource> dataSource) {
        given = dataSource;
        return this;
    }

    /**
     * Before each test, removes all messages, holds and ids from Waybill's tables of the database given by
     * {@link #on}. Only for a database that holds nothing but tests.
     */
    public WaybillExtension emptied() {
        emptied = true;
        return this;
    }

    @FunctionalInterface
    public interface Preparation {
        /** Called once, with a data source that is closed afterwards, or the given one. */
        void prepare(DataSource dataSource) throws Exception;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent()
                && (type == TestWaybill.class
                        || type == DataSource.class
                        || type == Outbox.class
                        || type == EmbeddedServiceBus.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        TestWaybill waybill = of(context);
        if (type == DataSource.class) {
            return waybill.dataSource();
        }
        if (type == Outbox.class) {
            return waybill.outbox();
        }
        return type == EmbeddedServiceBus.class ? waybill.bus() : waybill;
    }

    private synchronized TestWaybill of(ExtensionContext context) {
        var store = context.getStore(NAMESPACE);
        TestWaybill known = store.get(this, TestWaybill.class);
        if (known != null) {
            return known;
        }
        try {
            TestWaybill made = open();
            store.put(this, made);
            return made;
        } catch (Exception e) {
            throw new IllegalStateException("The test's database or broker could not be made: " + e.getMessage(), e);
        }
    }

    private TestWaybill open() throws Exception {
        Supplier<DataSource> dataSource = given;
        KitDatabase database = dataSource == null
                ? KitDatabase.copied(this, schema, this::prepare)
                : KitDatabase.given(this, dataSource.get(), schema, this::prepare, emptied);
        try {
            return on(database);
        } catch (Throwable e) {
            database.close();
            throw e;
        }
    }

    private TestWaybill on(KitDatabase database) {
        Outbox made = outbox.apply(Outbox.builder(database.dataSource()).schema(schema))
                .build();
        return new TestWaybill(
                database, schema, broker.apply(EmbeddedServiceBus.builder()).start(), made);
    }

    private void prepare(DataSource dataSource) throws Exception {
        for (KitServer.Preparation preparation : preparations) {
            preparation.prepare(dataSource);
        }
    }

    @Override
    public synchronized void beforeAll(ExtensionContext context) {
        classes++;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        var waybill = context.getStore(NAMESPACE).remove(this, TestWaybill.class);
        try {
            if (waybill != null) {
                waybill.close();
            }
        } finally {
            forgetTemplate();
        }
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) throws Exception {
        classes--;
        forgetTemplate();
    }

    // In an instance field it has no class, and makes one test.
    private synchronized void forgetTemplate() throws SQLException {
        if (classes == 0 && given == null) {
            KitDatabase.forget(this);
        }
    }
}
