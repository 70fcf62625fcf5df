package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.schema.OptionalTables;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Rejects consumers that neither the configuration nor the inbox knows. */
public final class KnownConsumers {
    private KnownConsumers() {}

    /** Rejects an unknown consumer with a suggestion. Scans all ids only if nothing else knows the name. */
    public static void require(
            String consumer, Collection<ConsumerSettings> described, DatabaseSettings settings, DataSource pool) {
        DSLContext dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), settings.schema());
        var known = new TreeSet<>(dsl.fetch(NAMES.formatted(settings.schema())).getValues(0, String.class));
        described.forEach(each -> known.add(each.name()));
        if (!known.contains(consumer) && !hasIds(consumer, settings, dsl)) {
            throw new NoSuchElementException("Neither the configuration nor the inbox of " + settings
                    + " knows a consumer '" + consumer + "'" + Suggestion.among(List.copyOf(known), consumer));
        }
    }

    private static boolean hasIds(String consumer, DatabaseSettings settings, DSLContext dsl) {
        return dsl.fetchSingle(
                        "select exists (select from %s.inbox_message where consumer = {0})"
                                .formatted(settings.schema()),
                        val(consumer))
                .get(0, Boolean.class);
    }

    private static final String NAMES = """
            select name from %1$s.inbox_consumer
            union select consumer from %1$s.inbox_instance
            union select consumer from %1$s.inbox_deferral
            union select consumer from %1$s.inbox_hold
            """;
}
