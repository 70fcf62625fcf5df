package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that writes bodies into the statement's text, and a server that takes their backslashes for escapes. */
@ExtendWith(PostgresExtension.class)
class MisreadBodiesTest {
    private static final String SIMPLE = "&preferQueryMode=simple";
    private static final String ESCAPES = "&options=-c%20standard_conforming_strings=off";
    private static final byte[] BODY = {'\\', 0, 'x', '\'', (byte) 0xff, '4', '1'};

    private TestDatabase database;
    private DSLContext dsl;
    private SchemaName schema;
    private Outbox outbox;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        dsl = schema.in(DSL.using(database.dataSource(), SQLDialect.POSTGRES));
        outbox = Outbox.builder().schema(schema).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {SIMPLE, ESCAPES})
    void a_body_is_stored_as_it_is_through_either(String settings) {
        with(
                settings,
                there -> there.transaction(tx -> {
                    outbox.append(tx.dsl(), message());
                    outbox.append(tx.dsl(), List.of(message(), message()));
                }));

        assertThat(bodies()).hasSize(3).allMatch(body -> Arrays.equals(body, BODY));
    }

    @Test
    void a_body_is_refused_that_both_would_make_another() {
        with(SIMPLE + ESCAPES, there -> {
            assertThatThrownBy(() -> there.transaction(tx -> outbox.append(tx.dsl(), message())))
                    .hasMessageContaining("preferQueryMode=simple");
            Outbox late = Outbox.builder(there).schema(schema).build();
            assertThatThrownBy(() -> late.inTransaction(tx -> late.append(tx, message())))
                    .hasMessageContaining("standard_conforming_strings");
        });

        assertThat(bodies()).isEmpty();
    }

    private void with(String settings, Consumer<DSLContext> work) {
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + settings, 1)) {
            work.accept(DSL.using(pool, SQLDialect.POSTGRES));
        }
    }

    private List<byte[]> bodies() {
        return dsl.select(OUTBOX_MESSAGE.PAYLOAD).from(OUTBOX_MESSAGE).fetch(OUTBOX_MESSAGE.PAYLOAD);
    }

    private static OutboxMessage message() {
        return OutboxMessage.to("orders")
                .session("s\\'1")
                .id("m1")
                .body(BODY, "application/octet-stream")
                .build();
    }
}
