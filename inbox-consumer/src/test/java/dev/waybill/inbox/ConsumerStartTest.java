package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ConsumerStartTest {
    private InboxFixture inbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        inbox = InboxFixture.migrated(database);
    }

    @Test
    void tables_that_are_missing_are_refused_at_start_with_the_feature_to_install() {
        try (var consumer = consumer(new SchemaName("nowhere"))) {
            assertThatThrownBy(consumer::start)
                    .isInstanceOf(FeatureMissing.class)
                    .hasMessageContaining("waybill-relay migrate up inbox");
        }
        try (var consumer = consumer(inbox.schema)) {
            assertThat(consumer.start()).isSameAs(consumer);
        }
    }

    @Test
    void another_isolation_level_than_read_committed_is_refused_at_start(TestDatabase database) {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.server().jdbcUrl());
            pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
            pool.setMaximumPoolSize(1);
            try (var consumer = consumer(pool, inbox.schema)) {
                assertThatThrownBy(consumer::start)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("SERIALIZABLE");
            }
        }
    }

    @Test
    void a_connection_that_would_store_other_bytes_than_it_is_given_is_refused_at_start(TestDatabase database) {
        String settings = "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off";
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + settings, 1);
                var consumer = consumer(pool, inbox.schema)) {
            assertThatThrownBy(consumer::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("standard_conforming_strings");
        }
    }

    @Test
    void a_role_from_which_a_policy_may_hide_holds_is_refused_at_start(TestDatabase database) throws Exception {
        String role = inbox.schema + "_bound";
        database.execute("create role " + role);
        database.execute(Role.CONSUMER.grants(inbox.schema, role, Feature.all()));
        database.execute("alter table " + inbox.schema.table("inbox_hold") + " enable row level security");
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + "&options=-c%20role=" + role, 1);
                var consumer = consumer(pool, inbox.schema)) {
            assertThatThrownBy(consumer::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Row level security may hide rows of inbox_hold");
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    @Test
    void a_consumer_that_was_closed_is_not_started_in_silence() {
        var consumer = consumer(inbox.schema);
        consumer.close();

        assertThatThrownBy(consumer::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed; build a new one");
        assertThat(inbox.count("inbox_instance")).isZero();
    }

    private InboxConsumer consumer(SchemaName schema) {
        return consumer(inbox.dataSource, schema);
    }

    private static InboxConsumer consumer(DataSource pool, SchemaName schema) {
        return InboxConsumer.builder(pool)
                .schema(schema)
                .name("test")
                .source(new Nothing(new CountDownLatch(1)))
                .handler(InboxFixture.DONE)
                .build();
    }

    /** An entity that never has a message. */
    record Nothing(CountDownLatch stopped) implements MessageSource {
        @Override
        public EntityDescription facts() {
            return EntityDescription.of("q", true);
        }

        @Override
        public Optional<Receiver> acceptNext() throws InterruptedException {
            stopped.await();
            return Optional.empty();
        }

        @Override
        public Optional<Receiver> accept(String session, Duration atMost) {
            return Optional.empty();
        }

        @Override
        public void stopAccepting() {
            stopped.countDown();
        }

        @Override
        public void close() {}
    }
}
