package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.inbox.settle.HeldInbound;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A consumer needs no more than the grants of its role. */
@ExtendWith(PostgresExtension.class)
class ConsumerRoleTest {
    private TestDatabase database;
    private InboxFixture owner;
    private InboxFixture inbox;
    private HikariDataSource pool;
    private String role;

    @BeforeEach
    void create_the_role(TestDatabase database) throws SQLException {
        this.database = database;
        owner = InboxFixture.migrated(database);
        role = database.schema() + "_consumer";
        database.execute("create role " + role);
        database.execute(Role.CONSUMER.grants(owner.schema, role, Feature.all()));
        database.execute("grant insert on " + owner.schema.table("effect") + " to " + role);
        pool = new HikariDataSource();
        pool.setJdbcUrl(database.server().jdbcUrl());
        pool.setMaximumPoolSize(3);
        pool.setConnectionInitSql("set role " + role);
        inbox = owner.on(pool);
    }

    @AfterEach
    void drop_the_role() throws SQLException {
        pool.close();
        database.execute("drop owned by " + role);
        database.execute("drop role " + role);
    }

    @Test
    void everything_a_consumer_does_its_role_may_do() throws SQLException {
        var receiver = ScriptedReceiver.ofSession(
                new FakeMessage("m1", 2, 1),
                new FakeMessage("defer", 1, 2),
                new FakeMessage("dead", 1, 3),
                new FakeMessage("later", 1, 4),
                new FakeMessage("m2", 1, 5));
        var turn = inbox.turn(
                receiver,
                (tx, message) -> switch (message.id()) {
                    case "defer" -> Verdict.defer("key");
                    case "dead" -> Verdict.deadLetter("No", "no");
                    case "later" ->
                        message instanceof HeldInbound ? inbox.effect(tx, message) : Verdict.retry(Duration.ofHours(1));
                    default -> inbox.effect(tx, message);
                },
                settings -> {
                    settings.retention =
                            new Retention(Duration.ofDays(10), Duration.ofDays(3), Duration.ZERO, Duration.ofDays(7));
                });

        turn.parts().heartbeat().beat();
        turn.run();
        InboxHolds.in(database.dataSource(), owner.schema)
                .release(HoldKey.session(HoldSide.INBOX, "test", "s"), new AuditContext("test", "now"));
        turn.runHolds();
        turn.parts().cleanUp().run();
        turn.parts().resumptions().run();
        turn.parts().forgotten().run();
        turn.parts().events().turn();
        turn.parts().heartbeat().leave();

        // Of what was dead-lettered, held and taken out of its hold.
        assertThat(owner.dsl
                        .fetch("select event, message_id from " + owner.schema.table("message_event") + " order by id")
                        .map(row -> row.get(0) + " " + row.get(1)))
                .contains("dead-lettered dead", "held later", "left later");
        assertThat(receiver.log())
                .containsExactly(
                        "complete m1", "defer defer", "dead-letter dead No", "complete later", "complete m2", "close");
        assertThat(owner.effects()).containsExactly("m1", "later", "m2");
        assertThat(owner.count("inbox_deferral")).isEqualTo(1);
        assertThat(owner.count("inbox_instance")).isZero();
    }

    @Test
    void a_grant_that_is_missing_is_told_at_the_start_with_its_statement() throws SQLException {
        database.execute("revoke insert on " + owner.schema.table("inbox_start") + " from " + role);
        database.execute("revoke usage on sequence " + owner.schema.table("inbox_acceptance_seq") + " from " + role);
        var consumer = InboxConsumer.builder(pool)
                .schema(owner.schema)
                .name("test")
                .source(InboxFixture.source(ScriptedReceiver.ofSession()))
                .handler(inbox::effect)
                .build();

        assertThatThrownBy(consumer::start)
                .hasMessageContaining("grant insert on " + owner.schema.table("inbox_start") + " to " + role)
                .hasMessageContaining("grant usage on sequence " + owner.schema.table("inbox_acceptance_seq"));
    }

    @Test
    void a_request_and_a_state_too() {
        var memory = Inbox.in(owner.schema);
        var states = SessionState.in(owner.schema);
        inbox.asConsumer().transaction(tx -> {
            memory.once(tx.dsl(), "requests", "key", () -> new Response(200, null, new byte[0]));
            IdempotencyKeys.of(owner.schema, "POST /debits")
                    .once(tx.dsl(), "key", new byte[0], () -> new Response(200, null, new byte[0]));
            states.store(tx.dsl(), "test", "s", 0, new byte[] {1});
            assertThat(Deferrals.in(owner.schema).resume(tx.dsl(), "test", "none"))
                    .isZero();
        });
        inbox.asConsumer().transaction(tx -> {
            assertThat(memory.response(tx.dsl(), "requests", "key")).isPresent();
            states.clear(tx.dsl(), "test", "s", 1);
        });
    }
}
