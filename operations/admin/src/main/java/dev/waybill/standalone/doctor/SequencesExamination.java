package dev.waybill.standalone.doctor;

import dev.waybill.schema.SchemaName;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Reports identity columns that will give values which are behind those of their table, as after a copy without sequences. */
final class SequencesExamination {
    private final DSLContext dsl;
    private final SchemaName schema;
    private final Findings findings;
    private final String where;

    SequencesExamination(DSLContext dsl, SchemaName schema, Findings findings, String where) {
        this.dsl = dsl;
        this.schema = schema;
        this.findings = findings;
        this.where = where;
    }

    void run() {
        for (Record column : dsl.fetch(IDENTITIES, DSL.val(schema.value()))) {
            String sequence = column.get("sequence", String.class);
            String behind =
                    "select max(%2$s) as greatest from %1$s having max(%2$s) > coalesce(pg_sequence_last_value({0}::regclass), 0)"
                            .formatted(column.get("table"), column.get("column"));
            dsl.fetchOptional(behind, DSL.val(sequence))
                    .ifPresent(row -> findings.error(
                            Diagnosis.TABLES,
                            where,
                            sequence + " is behind " + row.get("greatest") + " in " + column.get("table")
                                    + ": what is held may lose its order, and inserts fail",
                            "select setval('" + sequence + "', " + row.get("greatest")
                                    + ");   # runbooks/restore.md has all of them"));
        }
    }

    // Not those whose value this role may not see.
    private static final String IDENTITIES = """
            select c.oid::regclass::text as "table", quote_ident(a.attname) as "column", s.sequence
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
            cross join lateral (select pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence) s
            where c.relnamespace = {0}::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
              and has_table_privilege(c.oid, 'select') and has_sequence_privilege(s.sequence, 'select')
            order by 1
            """;
}
