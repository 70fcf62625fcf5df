package dev.waybill.walletforge.demo.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.walletforge.installation.ForgeSchemas;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three payments of one wallet and one of another, entered by hand and then spoiled in one way at a time. */
@ExtendWith(PostgresExtension.class)
class CheckerTest {
    private static final RunFacts FACTS = new RunFacts(4, 1, 0, 0, 1.5);

    private TestDatabase database;
    private String schema;
    private Map<String, List<String>> publications = Map.of("w1", List.of("a:r", "b:r", "c:r"), "w2", List.of("d:r"));
    private Map<String, Integer> deliveries = Map.of("a:r", 1, "b:r", 2, "c:r", 1, "d:r", 1);

    @BeforeEach
    void enter_a_run_that_holds(TestDatabase database) throws SQLException {
        this.database = database;
        schema = database.schema() + "_app";
        new ForgeSchemas(new SchemaName(schema), new SchemaName(database.schema())).migrate(database.dataSource());
        sql("insert into %s.payment values ('a', 'w1', 'credit', 100, 0), ('b', 'w1', 'debit', 30, 1),"
                + " ('c', 'w1', 'debit', 80, 2), ('d', 'w2', 'credit', 5, 3)");
        sql("insert into %s.wallet values ('w1', 70, 2, 1), ('w2', 5, 1, 0)");
        entry("a", "w1", "credit", 100, "applied");
        entry("d", "w2", "credit", 5, "applied");
        entry("b", "w1", "debit", 30, "applied");
        entry("c", "w1", "debit", 80, "declined");
    }

    @Test
    void a_run_that_holds_is_told_in_figures() throws SQLException {
        Proof proof = check();

        assertThat(proof.ok()).isTrue();
        assertThat(proof.traffic()).isEqualTo(new Traffic(4, 1, 4, 5, 1));
        assertThat(proof.damage()).isEqualTo(new Damage(0, 0, 0, 0, 0));
        assertThat(proof.money()).isEqualTo(new Money(1, cents(105), cents(30), cents(75)));
    }

    @Test
    void a_payment_entered_twice_is_a_duplicate_applied() throws SQLException {
        entry("a", "w1", "credit", 100, "applied");

        assertThat(check().damage().duplicatesApplied()).isEqualTo(1);
        assertThat(check().ok()).isFalse();
    }

    @Test
    void a_declined_payment_entered_twice_is_a_duplicate_too() throws SQLException {
        entry("c", "w1", "debit", 80, "declined");

        assertThat(check().damage().duplicatesApplied()).isEqualTo(1);
    }

    @Test
    void a_payment_without_entry_is_lost() throws SQLException {
        sql("delete from %s.ledger_entry where tx_id = 'd'");

        assertThat(check().damage().lost()).isEqualTo(1);
        assertThat(check().ok()).isFalse();
    }

    @Test
    void a_payment_that_was_never_published_is_lost() throws SQLException {
        publications = Map.of("w1", List.of("a:r", "b:r", "c:r"));

        assertThat(check().damage().lost()).isEqualTo(1);
        assertThat(check().traffic().published()).isEqualTo(3);
    }

    @Test
    void a_line_of_the_input_that_was_never_taken_in_is_lost() throws SQLException {
        sql("delete from %s.payment where tx_id = 'd'");

        assertThat(check().damage().lost()).isEqualTo(1);
    }

    @Test
    void publications_out_of_order_are_found() throws SQLException {
        publications = Map.of("w1", List.of("b:r", "a:r", "c:r", "b:r"), "w2", List.of("d:r"));

        assertThat(check().damage().outOfOrder()).isEqualTo(1);
        assertThat(check().ok()).isFalse();
    }

    @Test
    void a_repeated_publication_is_no_disorder() throws SQLException {
        publications = Map.of("w1", List.of("a:r", "b:r", "a:r", "c:r"), "w2", List.of("d:r"));

        assertThat(check().ok()).isTrue();
    }

    @Test
    void entries_out_of_order_are_found() throws SQLException {
        sql("update %s.ledger_entry set tx_id = case tx_id when 'a' then 'b' else 'a' end where tx_id in ('a', 'b')");

        assertThat(check().damage().outOfOrder()).isEqualTo(1);
    }

    @Test
    void balances_that_differ_from_the_sequential_program_are_found() throws SQLException {
        sql("update %s.wallet set applied = 3, declined = 0 where wallet_id = 'w1'");
        assertThat(check().damage().wrongBalances()).isEqualTo(1);

        sql("delete from %s.wallet where wallet_id = 'w2'");
        sql("insert into %s.wallet values ('w3', 5, 1, 0)");
        assertThat(check().damage().wrongBalances()).isEqualTo(3);
    }

    @Test
    void money_that_is_not_where_it_should_be_is_found() throws SQLException {
        sql("update %s.wallet set balance_cents = -1 where wallet_id = 'w2'");

        Proof proof = check();
        assertThat(proof.money().balances()).isFalse();
        assertThat(proof.damage().overdrawn()).isEqualTo(1);
        assertThat(proof.ok()).isFalse();
    }

    @Test
    void messages_of_other_runs_are_left_out() throws SQLException {
        publications = Map.of("w1", List.of("z:q", "a:r", "b:r", "c:r"), "w2", List.of("d:r", "d:q"));
        deliveries = Map.of("a:r", 1, "b:r", 1, "c:r", 1, "d:r", 1, "z:q", 7);

        assertThat(check().ok()).isTrue();
        assertThat(check().traffic()).isEqualTo(new Traffic(4, 1, 4, 4, 0));
    }

    @Test
    void a_kill_that_did_not_happen_spoils_the_proof() throws SQLException {
        assertThat(checker().check(new RunFacts(4, 1, 2, 3, 1)).ok()).isFalse();
        assertThat(checker().check(new RunFacts(4, 1, 3, 3, 1)).ok()).isTrue();
    }

    private Proof check() throws SQLException {
        return checker().check(FACTS);
    }

    private Checker checker() {
        return new Checker(database.dataSource(), schema, ":r", new BrokerObserver() {
            @Override
            public Map<String, List<String>> publications() {
                return publications;
            }

            @Override
            public Map<String, Integer> deliveries() {
                return deliveries;
            }
        });
    }

    private void entry(String txId, String walletId, String kind, long cents, String outcome) throws SQLException {
        sql("insert into %s.ledger_entry (tx_id, wallet_id, kind, amount_cents, outcome, balance_after)"
                + " values ('%s', '%s', '%s', %d, '%s', 0)".formatted(txId, walletId, kind, cents, outcome));
    }

    private void sql(String statement) throws SQLException {
        database.execute(statement.replace("%s.", schema + "."));
    }

    private static BigInteger cents(long cents) {
        return BigInteger.valueOf(cents);
    }
}
