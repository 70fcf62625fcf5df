package dev.waybill.walletforge.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.installation.ForgeSchemas;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class LedgerTest {
    private SchemaName schema;
    private DSLContext dsl;
    private Ledger ledger;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        schema = new SchemaName(database.schema() + "_app");
        var schemas = new ForgeSchemas(schema, new SchemaName(database.schema()));
        schemas.migrate(database.dataSource());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ledger = new Ledger(
                Installation.of(database.dataSource(), schemas, new ServiceBusAddress("none.servicebus.windows.net")));
    }

    @Test
    void a_debit_of_exactly_the_balance_is_applied_and_one_above_it_declined() {
        apply(Kind.CREDIT, 100);
        apply(Kind.DEBIT, 101);
        apply(Kind.DEBIT, 100);
        apply(Kind.DEBIT, 1);
        apply(Kind.DEBIT, 0);

        assertThat(wallet()).containsExactly(0L, 3L, 2L);
        assertThat(entries()).containsExactly("applied 100", "declined 100", "applied 0", "declined 0", "applied 0");
    }

    @Test
    void a_first_debit_finds_an_empty_wallet() {
        apply(Kind.DEBIT, 1);

        assertThat(wallet()).containsExactly(0L, 0L, 1L);
    }

    @Test
    void the_largest_balance_is_held_exactly() {
        apply(Kind.CREDIT, Long.MAX_VALUE);
        apply(Kind.CREDIT, 0);

        assertThat(wallet()).containsExactly(Long.MAX_VALUE, 2L, 0L);
    }

    @Test
    void a_payment_handed_in_twice_is_entered_twice_because_hiding_it_is_not_the_books_business() {
        apply(Kind.CREDIT, 100);
        apply(Kind.CREDIT, 100);

        assertThat(wallet()).containsExactly(200L, 2L, 0L);
    }

    private void apply(Kind kind, long cents) {
        dsl.transaction(tx -> ledger.book(tx.dsl(), new Booking("t", "w", kind, cents, false)));
    }

    private List<Long> wallet() {
        var row = dsl.fetchSingle("select balance_cents, applied, declined from " + schema.table("wallet"));
        return List.of(row.get(0, Long.class), row.get(1, Long.class), row.get(2, Long.class));
    }

    private List<String> entries() {
        return dsl.fetch("select outcome || ' ' || balance_after from " + schema.table("ledger_entry") + " order by id")
                .getValues(0, String.class);
    }
}
