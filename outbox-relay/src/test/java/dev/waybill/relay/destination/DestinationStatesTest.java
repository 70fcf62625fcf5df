package dev.waybill.relay.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.destination.DestinationStates.Pause;
import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.lease.OneRelay;
import java.util.ArrayList;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class DestinationStatesTest {
    private static final AuditContext ADA = new AuditContext("ada", "an incident");
    private static final AuditContext BOB = new AuditContext("bob", "all is well");

    private final List<String> audit = new ArrayList<>();
    private NewTables tables;
    private DestinationStates states;

    @BeforeEach
    void start(TestDatabase database) {
        tables = new NewTables(database);
        states = new DestinationStates(
                tables.dsl,
                tables.schema,
                (tx, action, destination, word) -> audit.add(action + " " + destination + " " + word.operator()));
    }

    @Test
    void a_pause_stands_until_it_is_ended_and_both_are_in_the_audit() {
        states.pause("orders", ADA);

        Pause pause = states.pauseOf("orders").orElseThrow();
        assertThat(pause).returns("ada", Pause::operator).returns("an incident", Pause::reason);
        assertThat(states.paused()).containsExactly(pause);
        assertThat(tables.fetch("select alarm from $.relay_alarm").getValues(0, String.class))
                .contains("paused");

        assertThat(states.resume("orders", BOB)).isTrue();
        assertThat(states.resume("orders", BOB)).isFalse();
        assertThat(states.pauseOf("orders")).isEmpty();
        assertThat(audit).containsExactly("pause orders ada", "resume orders bob");
    }

    @Test
    void a_second_pause_changes_the_reason_and_not_the_time() {
        states.pause("orders", ADA);
        Pause first = states.pauseOf("orders").orElseThrow();
        assertThat(states.pauseUnlessPaused("orders", BOB)).isFalse();
        assertThat(states.pauseOf("orders")).contains(first);

        states.pause("orders", BOB);

        assertThat(states.pauseOf("orders")).contains(new Pause("orders", "bob", "all is well", first.since()));
        assertThat(states.pauseUnlessPaused("bills", BOB)).isTrue();
        assertThat(audit).containsExactly("pause orders ada", "pause orders bob", "pause bills bob");
    }

    @Test
    void a_resume_of_a_pause_that_was_seen_does_not_end_another_one() {
        states.pause("orders", ADA);
        Pause seen = states.pauseOf("orders").orElseThrow();
        states.pause("orders", BOB);

        assertThat(states.resume(seen, BOB)).isFalse();
        assertThat(states.resume(states.pauseOf("orders").orElseThrow(), BOB)).isTrue();
    }

    @Test
    void what_cannot_be_recorded_is_not_done() {
        var deaf = new DestinationStates(tables.dsl, tables.schema, (tx, action, destination, word) -> {
            throw new IllegalStateException("no audit");
        });

        assertThatThrownBy(() -> deaf.pause("orders", ADA)).hasMessageContaining("no audit");
        assertThat(states.paused()).isEmpty();
    }

    @Test
    void defaults_of_the_database_change_nothing(TestDatabase database) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.server().jdbcUrl());
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql(
                "set synchronous_commit = off; set default_transaction_isolation = 'serializable'; set lock_timeout = 0");
        try (var pool = new HikariDataSource(config)) {
            var odd = new DestinationStates(
                    DSL.using(pool, SQLDialect.POSTGRES), tables.schema, (tx, action, name, word) -> {
                        for (String setting : List.of("synchronous_commit", "transaction_isolation", "lock_timeout")) {
                            audit.add(tx.fetchSingle("select current_setting({0})", DSL.val(setting))
                                    .get(0, String.class));
                        }
                    });

            odd.pause("orders", ADA);

            assertThat(audit).containsExactly("local", "read committed", "2s");
            assertThat(DSL.using(pool, SQLDialect.POSTGRES)
                            .fetchSingle("show synchronous_commit")
                            .get(0))
                    .isEqualTo("off");
        }
    }

    @Test
    void refusals_count_for_five_minutes() {
        new OneRelay(tables, "orders", "bills");
        tables.execute("update $.outbox_destination set refused_at = now() - interval '1 hour', refusal_reason = 'r',"
                + " refusal_description = 'd', refusal_seen_at = now() - case destination when 'orders' then interval '1 minute'"
                + " else interval '6 minutes' end");

        assertThat(states.refused()).containsOnlyKeys("orders");
        assertThat(states.known()).containsExactly("bills", "orders");
        assertThat(states.served()).containsExactly("bills", "orders");
    }
}
