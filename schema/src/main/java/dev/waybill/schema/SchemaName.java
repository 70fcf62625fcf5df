package dev.waybill.schema;

import java.util.Set;
import java.util.regex.Pattern;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/**
 * The schema of Waybill's tables: a lower-case identifier that needs no quotes.
 *
 * @param value letters, digits and underscores, not starting with a digit, at most 63 characters
 */
public record SchemaName(String value) {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    // PostgreSQL 18, appendix C.
    static final Set<String> RESERVED = Set.of(("all analyse analyze and any array as asc asymmetric authorization"
                    + " binary both case cast check collate collation column concurrently constraint create cross"
                    + " current_catalog current_date current_role current_schema current_time current_timestamp"
                    + " current_user default deferrable desc distinct do else end except false fetch for foreign freeze"
                    + " from full grant group having ilike in initially inner intersect into is isnull join lateral"
                    + " leading left like limit localtime localtimestamp natural not notnull null offset on only or"
                    + " order outer overlaps placing primary references returning right select session_user similar"
                    + " some symmetric system_user table tablesample then to trailing true union unique user using"
                    + " variadic verbose when where window with")
            .split(" "));

    /** {@code waybill}. */
    public static final SchemaName DEFAULT = new SchemaName("waybill");

    public SchemaName {
        if (!IDENTIFIER.matcher(value).matches()) {
            throw new IllegalArgumentException("Schema name '" + value
                    + "' must consist of lower-case letters, digits and underscores, start with no digit and have at"
                    + " most 63 characters");
        }
        if (RESERVED.contains(value)) {
            throw new IllegalArgumentException(
                    "Schema name '" + value + "' is a reserved word of PostgreSQL; choose another one");
        }
    }

    /** The connection and transaction of {@code dsl}, with the generated tables in this schema. */
    public DSLContext in(DSLContext dsl) {
        return DSL.using(dsl.configuration().derive(settings()));
    }

    /** A jOOQ configuration without a connection, with the generated tables in this schema. */
    public Configuration configuration() {
        return new DefaultConfiguration().set(SQLDialect.POSTGRES).set(settings());
    }

    /** The qualified name of a table, for plain SQL. */
    public String table(String name) {
        return value + "." + name;
    }

    @Override
    public String toString() {
        return value;
    }

    private Settings settings() {
        var mapping = new MappedSchema().withInput(DEFAULT.value).withOutput(value);
        return new Settings()
                .withRenderMapping(new RenderMapping().withSchemata(mapping))
                .withExecuteLogging(false);
    }
}
