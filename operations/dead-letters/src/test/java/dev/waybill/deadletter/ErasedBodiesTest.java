package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.ErasureReport.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies that are kept outside their messages, when the messages' rows are gone and nothing but the register is left. */
@ExtendWith(PostgresExtension.class)
class ErasedBodiesTest {
    private static final AuditContext WORD = new AuditContext("ada", "article 17");

    private StoredLetters stored;
    private Erasure erasure;
    private DSLContext dsl;
    private Outbox outbox;

    @BeforeEach
    void append_with_bodies_outside(TestDatabase database) {
        stored = new StoredLetters(database);
        erasure = Erasure.in(database.dataSource(), stored.schema);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        outbox = Outbox.builder()
                .schema(stored.schema)
                .destination(Destination.of("orders").withClaimsAbove(3))
                .claims(ClaimStore.inPostgres(stored.schema))
                .build();
    }

    @Test
    void a_body_of_the_session_is_removed_although_its_row_is_gone() {
        append("alice", "m1");
        append("bob", "m2");
        rowsGo();

        ErasureReport report = erasure.erase(ErasureRequest.session("alice"), WORD);

        assertThat(report.removed()).containsOnlyKeys(Place.CLAIMS);
        assertThat(report.remaining()).isEmpty();
        assertThat(bodies()).containsExactly("secret of m2");
    }

    @Test
    void a_body_of_a_message_without_a_session_is_found_by_its_message() {
        append(null, "m1");
        append(null, "m2");
        rowsGo();

        assertThat(erasure.erase(ErasureRequest.session("m1"), WORD).remaining())
                .isEmpty();
        assertThat(bodies()).hasSize(2);

        erasure.erase(ErasureRequest.message("m1"), WORD);

        assertThat(bodies()).containsExactly("secret of m2");
    }

    @Test
    void a_body_that_a_pending_message_of_the_session_needs_stays() {
        append("alice", "m1");

        ErasureReport report = erasure.erase(ErasureRequest.session("alice"), WORD);

        assertThat(report.remaining()).containsOnlyKeys(Place.PENDING);
        assertThat(bodies()).containsExactly("secret of m1");
    }

    @Test
    void a_body_that_came_to_the_session_after_the_order_stays() {
        append("alice", "m1");
        erasure.erase(ErasureRequest.session("alice"), WORD);
        stored.execute("update $schema.erasure_order set applies_until = clock_timestamp() - interval '1 day'");
        rowsGo();

        erasure.repeat(WORD);

        assertThat(bodies()).containsExactly("secret of m1");
    }

    private void append(@Nullable String session, String id) {
        var message = OutboxMessage.to("orders").id(id).text("secret of " + id);
        dsl.transaction(tx -> outbox.append(tx.dsl(), (session == null ? message : message.session(session)).build()));
    }

    // As when they are published and their partition is emptied.
    private void rowsGo() {
        stored.execute("delete from $schema.outbox_message");
    }

    private List<String> bodies() {
        return stored.texts("select convert_from(body, 'UTF8') from $schema.outbox_claim_body order by 1");
    }
}
