package dev.waybill.embedded.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Resolves a {@link TestDatabase} parameter in tests and in {@code @BeforeEach} methods: one server per JVM, one schema
 * per test.
 */
public final class PostgresExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(PostgresExtension.class);
    private static final int POOL_SIZE = 40;
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    /** For {@code @ExtendWith}. */
    public PostgresExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestDatabase.class;
    }

    @Override
    public TestDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(TestDatabase.class, type -> newDatabase(context), TestDatabase.class);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        var database = context.getStore(NAMESPACE).get(TestDatabase.class, TestDatabase.class);
        if (database != null) {
            database.end();
        }
    }

    private static TestDatabase newDatabase(ExtensionContext context) {
        var shared = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(SharedServer.class, type -> SharedServer.start(), SharedServer.class);
        return new TestDatabase(shared.server(), shared.dataSource(), shared.kept(), PostgresExtension::nameOfNoSchema);
    }

    // The process id keeps JVMs apart that share one given server.
    private static String nameOfNoSchema() {
        return "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
    }

    /** Closed by JUnit with the root store, after the last test. */
    private record SharedServer(PostgresServer server, HikariDataSource dataSource, KeptSchemas kept)
            implements AutoCloseable {
        static SharedServer start() {
            var server = PostgresServer.start();
            var pool = server.newPool(POOL_SIZE);
            return new SharedServer(server, pool, new KeptSchemas(pool));
        }

        @Override
        public void close() throws SQLException {
            kept.dropAll();
            dataSource.close();
            server.close();
        }
    }
}
