package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Role;
import dev.waybill.relay.RelayGrants.Missing;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rights that are missed only when a message is refused, or when the history has changed. */
@ExtendWith(PostgresExtension.class)
class RelayGrantsTest {
    /** Granted to the same role, and needed where dead letters are collected, people sign in, or samples are taken. */
    private static final List<String> OF_OTHERS = List.of("dead_letter", "console_session", "outbox_sample");

    private OutboxFixture outbox;
    private TemporaryRole role;
    private DSLContext asRole;

    @BeforeEach
    void create_the_role(TestDatabase database) throws Exception {
        outbox = new OutboxFixture(database);
        outbox.execute("revoke execute on all functions in schema $schema from public");
        role = new TemporaryRole(database, outbox.schema, Role.RELAY);
        asRole = role.dsl();
    }

    @AfterEach
    void drop_the_role() throws Exception {
        role.close();
    }

    @Test
    void each_right_that_a_relay_needs_is_missed_if_it_is_not_there() {
        assertThat(RelayGrants.missing(asRole, outbox.schema)).isEmpty();

        for (Missing right : RelayGrants.needed()) {
            change("revoke", right, "from");
            assertThat(RelayGrants.missing(asRole, outbox.schema))
                    .as("after revoking %s", right)
                    .containsExactly(right);
            change("grant", right, "to");
        }
    }

    @Test
    void each_right_of_the_relays_role_is_needed_or_belongs_to_somebody_else() {
        Set<String> given = new TreeSet<>(outbox.dsl
                .fetch(GIVEN, DSL.val(outbox.schema.value()), DSL.val(name()))
                .getValues(0, String.class));
        given.removeIf(right -> OF_OTHERS.stream().anyMatch(other -> right.contains(" on " + other)));

        assertThat(given)
                .isNotEmpty()
                .isSubsetOf(RelayGrants.needed().stream().map(Missing::toString).collect(Collectors.toSet()));
    }

    @Test
    void a_relay_that_could_not_put_a_message_on_hold_does_not_start_and_says_so() {
        outbox.execute("revoke insert on $schema.outbox_hold, $schema.outbox_halt from " + name());
        try (var relay = Relay.builder(role.pool())
                .schema(outbox.schema)
                .destination(OutboxFixture.DESTINATION)
                .publisher(new RecordingPublisher())
                .build()) {
            assertThatThrownBy(relay::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("insert on hold, insert on outbox_halt")
                    .hasMessageContaining("Role.RELAY");
        }
    }

    private void change(String verb, Missing right, String preposition) {
        String kind =
                right.object().endsWith(")") ? "function " : right.object().endsWith("_seq") ? "sequence " : "";
        outbox.execute(verb + " " + right.privilege() + " on " + kind + "$schema." + right.object() + " " + preposition
                + " " + name());
    }

    private String name() {
        return outbox.schema + "_" + Role.RELAY.name().toLowerCase(Locale.ROOT);
    }

    // The right to read is not asked for here: the role may read all tables.
    private static final String GIVEN = """
            select lower(a.privilege_type) || ' on ' || c.relname
            from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join lateral aclexplode(c.relacl) a
            where n.nspname = {0} and a.grantee = {1}::regrole and a.privilege_type <> 'SELECT'
            """;
}
