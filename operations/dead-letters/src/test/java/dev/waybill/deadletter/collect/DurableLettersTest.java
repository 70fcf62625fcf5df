package dev.waybill.deadletter.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.deadletter.Erasure;
import dev.waybill.deadletter.ErasureRequest;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresNode;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server that tells of commits before they are on the disk, and crashes. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class DurableLettersTest {
    private DeadLetterFixture fixture;
    private PostgresNode server;
    private HikariDataSource pool;
    private DSLContext dsl;

    @BeforeEach
    void start_a_server_that_does_not_wait_for_the_disk(TestDatabase database) throws Exception {
        fixture = new DeadLetterFixture(database, bus -> bus.queue("orders"));
        server = PostgresNode.start();
        // Its own writer would come to the log now and then.
        server.execute("alter system set synchronous_commit = off");
        server.execute("alter system set wal_writer_delay = '10s'");
        server.execute("select pg_reload_conf()");
        pool = PostgresServer.pool(server.jdbcUrl(), 4);
        Migrations.of(pool, fixture.schema).apply(Feature.all());
        server.execute("checkpoint");
        dsl = fixture.schema.in(DSL.using(pool, SQLDialect.POSTGRES));
    }

    @AfterEach
    void stop() {
        pool.close();
        server.close();
        fixture.close();
    }

    @Test
    void what_is_gone_from_the_broker_is_there_after_a_crash_of_the_server() throws Exception {
        fixture.bury("orders", "Bad", DeadLetterFixture.message("m1", "body"));

        assertThat(fixture.collect(fixture.collector(dsl, fixture.deadLettersOf("orders"))))
                .isEqualTo(1);
        crash();

        assertThat(fixture.deadLettersIn("orders")).isZero();
        assertThat(ids()).containsExactly("m1");
    }

    @Test
    @Tag("long")
    void what_was_reported_as_erased_is_erased_after_a_crash_of_the_server() throws Exception {
        fixture.bury("orders", "Bad", DeadLetterFixture.message("m1", "body"));
        fixture.collect(fixture.collector(dsl, fixture.deadLettersOf("orders")));
        Erasure erasure = Erasure.in(pool, fixture.schema);

        erasure.erase(ErasureRequest.message("m1"), new AuditContext("ada", "because"));
        crash();

        assertThat(erasure.orders()).hasSize(1);
        assertThat(ids()).isEmpty();
    }

    private void crash() {
        server.crash();
        server.restart();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    private List<String> ids() {
        return dsl.fetch("select message_id from " + fixture.schema.table("dead_letter_message"))
                .getValues(0, String.class);
    }
}
