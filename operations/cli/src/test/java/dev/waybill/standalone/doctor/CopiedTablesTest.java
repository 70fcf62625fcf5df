package dev.waybill.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A logical replication copies rows and leaves the sequences behind. */
@ExtendWith(PostgresExtension.class)
class CopiedTablesTest {
    @Test
    void an_identity_column_whose_sequence_is_behind_its_rows_is_told_of_with_the_statement_that_raises_it(
            TestDatabase database) throws Exception {
        SchemaName schema = Program.tables(database);
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        assertThat(findings(dsl, schema)).isEmpty();
        database.execute(
                "insert into " + schema + ".outbox_hold (id, destination, session_id, state, reason, description)"
                        + " overriding system value values (7, 'orders', 's', 'parked', 'r', 'd')");

        assertThat(findings(dsl, schema)).singleElement().satisfies(finding -> {
            assertThat(finding.evidence()).contains("outbox_hold_id_seq is behind 7");
            dsl.execute(finding.fix().substring(0, finding.fix().indexOf(';')));
        });

        assertThat(findings(dsl, schema)).isEmpty();
        database.execute("insert into " + schema + ".outbox_hold (destination, session_id, state, reason, description)"
                + " values ('orders', 't', 'parked', 'r', 'd')");
        assertThat(findings(dsl, schema)).isEmpty();
    }

    private static List<Finding> findings(DSLContext dsl, SchemaName schema) {
        var findings = new Findings();
        new SequencesExamination(dsl, schema, findings, "database first").run();
        return findings.sorted();
    }
}
