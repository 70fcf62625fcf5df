package dev.waybill.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.inbox.handle.BodyClaiming;
import dev.waybill.outbox.ClaimMissingException;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.SchemaName;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class BodyClaimingTest {
    private static final UUID CLAIM = UUID.fromString("6f2ad4ac-7a8f-4e4c-9d33-0a6f3b4b7a11");

    private final TestDatabase database;
    private final SchemaName schema;
    private final DSLContext dsl;
    private final ClaimStore store;
    private final AtomicReference<InboundMessage> handled = new AtomicReference<>();

    BodyClaimingTest(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(InboxFixture::tables));
        store = ClaimStore.inPostgres(schema);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void a_handler_finds_the_body_that_was_kept_outside_the_message() throws Exception {
        keep("large");

        var message = handle(store, message(CLAIM.toString()));

        assertThat(message.text()).isEqualTo("large");
        assertThat(message.body()).isEqualTo("large".getBytes(UTF_8));
    }

    @Test
    void all_else_is_the_messages_own() throws Exception {
        keep("large");

        var message = handle(store, message(CLAIM.toString()));

        assertThat(message.id()).isEqualTo("m1");
        assertThat(message.headers()).containsEntry("waybill-claim", CLAIM.toString());
        assertThatThrownBy(message::sequenceNumber).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void messages_of_a_batch_each_find_their_own_body(TestDatabase database) {
        keep("large");
        var inbox = new InboxFixture(database);
        var bodies = new ArrayList<String>();
        var receiver = ScriptedReceiver.ofSession(
                new FakeMessage("m1", 1, 1, Map.of()),
                new FakeMessage("m2", 1, 2, Map.of("waybill-claim", CLAIM.toString())),
                new FakeMessage("m3", 1, 3, Map.of()));

        inbox.turn(
                        receiver,
                        (tx, message) -> {
                            bodies.add(message.text());
                            return inbox.effect(tx, message);
                        },
                        settings -> {
                            settings.batch = 3;
                            settings.claims = store;
                        })
                .run();

        assertThat(bodies).containsExactly("m1", "large", "m3");
        assertThat(inbox.effects()).containsExactly("m1", "m2", "m3");
    }

    @Test
    void a_body_handed_out_is_a_copy() throws Exception {
        keep("large");
        var message = handle(store, message(CLAIM.toString()));

        message.body()[0] = 'X';

        assertThat(message.text()).isEqualTo("large");
    }

    @Test
    void a_body_in_another_database_is_loaded_by_a_connection_of_its_own() throws Exception {
        keep("large");

        assertThat(handle(ClaimStore.inPostgres(schema, database.dataSource()), message(CLAIM.toString()))
                        .text())
                .isEqualTo("large");
    }

    @Test
    void a_body_that_was_removed_is_an_error_that_names_the_claim_for_those_who_ask_for_it() throws Exception {
        var message = handle(store, message(CLAIM.toString()));

        assertThat(message.id()).isEqualTo("m1");
        assertThatThrownBy(message::body)
                .isInstanceOf(ClaimMissingException.class)
                .hasMessageContaining(CLAIM.toString())
                .hasMessageContaining("'m1'");
        assertThatThrownBy(message::text).isInstanceOf(ClaimMissingException.class);
    }

    @Test
    void a_consumer_without_a_store_says_so() throws Exception {
        var message = handle(null, message(CLAIM.toString()));

        assertThatThrownBy(message::body).hasMessageContaining(CLAIM.toString()).hasMessageContaining("no claim store");
    }

    @Test
    void what_is_no_claim_is_refused() {
        assertThatThrownBy(() -> handle(store, message("claim?"))).hasMessageContaining("'claim?'");
    }

    @Test
    void a_message_with_its_own_body_is_handed_on_as_it_is() throws Exception {
        var message = message(null);

        assertThat(handle(store, message)).isSameAs(message);
    }

    private InboundMessage handle(@Nullable ClaimStore claims, InboundMessage message) {
        Handler handler = (tx, received) -> {
            handled.set(received);
            return Verdict.done();
        };
        dsl.transaction(tx -> new BodyClaiming(handler, claims).handle(tx.dsl(), message));
        return Objects.requireNonNull(handled.get());
    }

    private void keep(String body) {
        dsl.transaction(tx -> tx.dsl().connection(connection -> store.store(connection, CLAIM, body.getBytes(UTF_8))));
    }

    /** Knows its id and its headers, has an empty body, and no more. */
    private static InboundMessage message(@Nullable String claim) {
        return (InboundMessage) Proxy.newProxyInstance(
                InboundMessage.class.getClassLoader(),
                new Class<?>[] {InboundMessage.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "id" -> "m1";
                    case "body" -> new byte[0];
                    case "contentType" -> Optional.empty();
                    case "headers" -> claim == null ? Map.of() : Map.of("waybill-claim", claim);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
