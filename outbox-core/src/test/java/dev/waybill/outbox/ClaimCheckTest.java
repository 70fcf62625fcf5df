package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_CLAIM;
import static dev.waybill.schema.jooq.Tables.OUTBOX_CLAIM_BODY;
import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_SCHEDULED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ClaimCheckTest {
    private static final Destination ORDERS = Destination.of("orders").withClaimsAbove(1_000);
    private static final String LARGE = "x".repeat(1_001);

    private final TestDatabase database;
    private final SchemaName schema;
    private final DSLContext dsl;
    private final ClaimStore store;
    private final Outbox outbox;

    ClaimCheckTest(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        store = ClaimStore.inPostgres(schema);
        outbox = Outbox.builder()
                .schema(schema)
                .destination(ORDERS)
                .claims(store)
                .build();
    }

    @Test
    void a_large_body_is_kept_outside_its_message() {
        append(message("m1", LARGE));

        UUID claim = claimOf("m1");
        var row = dsl.selectFrom(OUTBOX_MESSAGE).fetchSingle();
        assertThat(row.get(OUTBOX_MESSAGE.PAYLOAD)).isEmpty();
        assertThat(row.get(OUTBOX_MESSAGE.CONTENT_TYPE)).isEqualTo("text/plain; charset=utf-8");
        assertThat(load(claim)).hasValue(LARGE);
        var registered = dsl.selectFrom(OUTBOX_CLAIM).fetchSingle();
        assertThat(registered.get(OUTBOX_CLAIM.CLAIM)).isEqualTo(claim);
        assertThat(registered.get(OUTBOX_CLAIM.DESTINATION)).isEqualTo("orders");
        assertThat(registered.get(OUTBOX_CLAIM.MESSAGE_ID)).isEqualTo("m1");
        assertThat(registered.get(OUTBOX_CLAIM.BYTES)).isEqualTo(1_001);
    }

    @Test
    void a_body_of_just_the_size_goes_with_its_message() {
        append(message("m1", "x".repeat(1_000)));

        assertThat(dsl.fetchValue(OUTBOX_MESSAGE.PAYLOAD)).hasSize(1_000);
        assertNothingIsKept();
    }

    @Test
    void a_body_far_above_what_the_broker_takes_is_kept() {
        String huge = "x".repeat(5_000_000);
        append(message("m1", huge));

        assertThat(load(claimOf("m1"))).hasValue(huge);
    }

    @Test
    void a_list_keeps_each_body_under_its_own_claim() {
        append(IntStream.range(0, 5).mapToObj(i -> message("m" + i, LARGE + i)).toArray(OutboxMessage[]::new));

        for (int i = 0; i < 5; i++) {
            assertThat(load(claimOf("m" + i))).hasValue(LARGE + i);
        }
    }

    @Test
    void a_scheduled_message_keeps_its_body_outside_too() {
        append(OutboxMessage.to("orders")
                .id("m1")
                .text(LARGE)
                .notBefore(Instant.parse("2100-01-01T00:00:00Z"))
                .build());

        assertThat(dsl.fetchValue(OUTBOX_SCHEDULED.PAYLOAD)).isEmpty();
        assertThat(dsl.fetchCount(OUTBOX_CLAIM_BODY)).isEqualTo(1);
    }

    @Test
    void the_codec_comes_first() {
        var halving = new PayloadCodec() {
            @Override
            public Encoded encode(OutboxMessage message) {
                return new Encoded(new byte[message.body().length / 2], Map.of("codec", "halved"));
            }

            @Override
            public byte[] decode(Received message) {
                throw new UnsupportedOperationException();
            }
        };
        var encoding = Outbox.builder()
                .schema(schema)
                .destination(ORDERS)
                .claims(store)
                .codec(halving)
                .build();

        dsl.transaction(tx ->
                encoding.append(tx.dsl(), List.of(message("small enough", LARGE), message("m2", LARGE + LARGE))));

        assertThat(dsl.fetchValue(OUTBOX_CLAIM.MESSAGE_ID)).isEqualTo("m2");
        assertThat(dsl.fetchValue(OUTBOX_CLAIM_BODY.BODY)).hasSize(1_001);
        assertThat(headers("m2")).containsEntry("codec", "halved");
    }

    @Test
    void an_id_from_content_is_that_of_the_whole_body() {
        var message = OutboxMessage.to("orders").text(LARGE).idFromContent().build();
        append(message);

        assertThat(dsl.fetchValue(OUTBOX_MESSAGE.MESSAGE_ID)).isEqualTo(message.id());
    }

    @Test
    void without_claims_a_body_that_is_too_large_is_refused_as_ever() {
        var without = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders"))
                .claims(store)
                .build();

        assertThatThrownBy(() -> dsl.transaction(tx -> without.append(tx.dsl(), message("m1", "x".repeat(300_000)))))
                .isInstanceOf(InvalidMessageException.class);
        assertNothingIsKept();
    }

    @Test
    void properties_that_are_too_large_are_refused_before_the_body_is_kept() {
        dsl.transaction(tx -> assertThatThrownBy(() -> outbox.append(
                        tx.dsl(),
                        OutboxMessage.to("orders")
                                .id("m1")
                                .text(LARGE)
                                .header("large", "x".repeat(300_000))
                                .build()))
                .isInstanceOf(InvalidMessageException.class));

        assertNothingIsKept();
    }

    @Test
    void a_destination_with_claims_needs_a_store() {
        var builder = Outbox.builder().schema(schema).destination(ORDERS);

        assertThatThrownBy(builder::build).hasMessageContaining("'orders'").hasMessageContaining("claim store");
    }

    @Test
    void the_claim_is_nothing_an_application_may_set() {
        assertThatThrownBy(() -> OutboxMessage.to("orders")
                        .id("m")
                        .header("waybill-claim", "x")
                        .build())
                .isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void a_rolled_back_transaction_keeps_nothing() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    outbox.append(tx.dsl(), message("m1", LARGE));
                    throw new IllegalStateException("business failure");
                }))
                .hasMessage("business failure");

        assertNothingIsKept();
    }

    @Test
    void an_application_that_dies_between_store_and_append_keeps_nothing() {
        var dying = Outbox.builder()
                .schema(schema)
                .destination(ORDERS)
                .claims(new DyingStore())
                .build();

        assertThatThrownBy(() -> dsl.transaction(tx -> dying.append(tx.dsl(), message("m1", LARGE))))
                .isInstanceOf(RuntimeException.class);

        assertNothingIsKept();
        assertThat(dsl.fetchCount(OUTBOX_MESSAGE)).isZero();
    }

    @Test
    void an_application_that_dies_between_append_and_commit_keeps_nothing() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    outbox.append(tx.dsl(), message("m1", LARGE));
                    tx.dsl().connection(this::kill);
                }))
                .isInstanceOf(RuntimeException.class);

        assertNothingIsKept();
        assertThat(dsl.fetchCount(OUTBOX_MESSAGE)).isZero();
    }

    @Test
    void a_store_of_the_users_own_has_the_body_and_the_database_its_claim() {
        var blobs = new HashMap<UUID, byte[]>();
        var elsewhere = Outbox.builder()
                .schema(schema)
                .destination(ORDERS)
                .claims(new MapStore(blobs))
                .build();

        dsl.transaction(tx -> elsewhere.append(tx.dsl(), message("m1", LARGE)));

        assertThat(blobs).containsOnlyKeys(claimOf("m1"));
        assertThat(dsl.fetchValue(OUTBOX_CLAIM.CLAIM)).isEqualTo(claimOf("m1"));
        assertThat(dsl.fetchCount(OUTBOX_CLAIM_BODY)).isZero();
    }

    @Test
    void a_removed_body_is_no_longer_there_and_removing_it_again_is_no_error() throws Exception {
        append(message("m1", LARGE));
        UUID claim = claimOf("m1");

        try (Connection connection = database.dataSource().getConnection()) {
            store.remove(connection, List.of(claim));
            store.remove(connection, List.of(claim));
        }

        assertThat(load(claim)).isEmpty();
    }

    @Test
    void the_applications_role_keeps_bodies_and_the_consumers_role_loads_them() throws Exception {
        String app = schema + "_claims_app";
        String consumer = schema + "_claims_consumer";
        database.execute("create role " + app + "; create role " + consumer);
        database.execute(
                Role.APP.grants(schema, app, Feature.all()) + Role.CONSUMER.grants(schema, consumer, Feature.all()));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("set local role " + app);
            outbox.append(connection, message("m1", LARGE));
            connection.commit();
            connection.createStatement().execute("set local role " + consumer);
            assertThat(store.load(connection, claimOf("m1"))).isPresent();
            connection.rollback();
        } finally {
            database.execute("drop owned by " + app + ", " + consumer + "; drop role " + app + ", " + consumer);
        }
    }

    private void append(OutboxMessage... messages) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), List.of(messages)));
    }

    private static OutboxMessage message(String id, String text) {
        return OutboxMessage.to("orders").id(id).text(text).build();
    }

    private UUID claimOf(String id) {
        return UUID.fromString(
                (String) java.util.Objects.requireNonNull(headers(id).get(WireContract.CLAIM)));
    }

    private Map<String, Object> headers(String id) {
        return Headers.read(dsl.fetchValue(OUTBOX_MESSAGE.HEADERS, OUTBOX_MESSAGE.MESSAGE_ID.eq(id))
                .data());
    }

    private Optional<String> load(UUID claim) {
        return dsl.connectionResult(connection -> store.load(connection, claim)).map(body -> new String(body, UTF_8));
    }

    private void assertNothingIsKept() {
        for (Table<?> table : List.of(OUTBOX_CLAIM, OUTBOX_CLAIM_BODY)) {
            assertThat(dsl.fetchCount(table)).isZero();
        }
    }

    /** The server ends the connection, as if the process had died. */
    private void kill(Connection connection) throws java.sql.SQLException {
        try (var row = connection.createStatement().executeQuery("select pg_backend_pid()")) {
            row.next();
            database.execute("select pg_terminate_backend(" + row.getInt(1) + ")");
        }
    }

    private final class DyingStore implements ClaimStore {
        @Override
        public void store(Connection tx, UUID claim, byte[] body) throws java.sql.SQLException {
            store.store(tx, claim, body);
            kill(tx);
        }

        @Override
        public Optional<byte[]> load(Connection tx, UUID claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(Connection connection, Collection<UUID> claims) {
            throw new UnsupportedOperationException();
        }
    }

    private record MapStore(Map<UUID, byte[]> blobs) implements ClaimStore {
        @Override
        public void store(Connection tx, UUID claim, byte[] body) {
            blobs.put(claim, body);
        }

        @Override
        public Optional<byte[]> load(Connection tx, UUID claim) {
            return Optional.ofNullable(blobs.get(claim));
        }

        @Override
        public void remove(Connection connection, Collection<UUID> claims) {
            claims.forEach(blobs::remove);
        }
    }
}
