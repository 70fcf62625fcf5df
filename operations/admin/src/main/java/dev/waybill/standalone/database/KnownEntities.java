package dev.waybill.standalone.database;

import static org.jooq.impl.DSL.val;

import dev.waybill.message.BrokerNames;
import dev.waybill.schema.OptionalTables;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ConsumerSettings;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.Suggestion;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Rejects queues and subscriptions that neither the configuration nor the database knows. */
public final class KnownEntities {
    private KnownEntities() {}

    /**
     * The path by which dead letters know an entity; {@code path} may be in another case, or name a destination whose entity has
     * another name. Scans the dead letters if none has exactly this path.
     *
     * @throws NoSuchElementException with a suggestion if nobody knows it
     */
    public static String find(String path, Configuration configuration, DatabaseSettings settings, DataSource pool) {
        DSLContext dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), settings.schema());
        if (hasLetters(path, settings, dsl)) {
            return path;
        }
        String asked = entityOf(path, configuration, settings);
        Set<String> letters =
                new TreeSet<>(dsl.fetch(OF_LETTERS.formatted(settings.schema())).getValues(0, String.class));
        Set<String> known = configured(configuration, settings);
        known.addAll(dsl.fetch(NAMES.formatted(settings.schema())).getValues(0, String.class));
        Optional<String> found = Stream.of(letters, known)
                .flatMap(Set::stream)
                .filter(name -> BrokerNames.same(name, asked))
                .findFirst();
        known.addAll(letters);
        return found.orElseThrow(
                () -> new NoSuchElementException("Neither the configuration nor the tables of " + settings
                        + " know a queue or subscription '" + path + "'"
                        + Suggestion.among(List.copyOf(known), path)));
    }

    private static String entityOf(String path, Configuration configuration, DatabaseSettings settings) {
        return configuration.destinations(settings).stream()
                .filter(destination -> destination.name().equals(path))
                .map(destination -> destination.place().entity())
                .findFirst()
                .orElse(path);
    }

    private static Set<String> configured(Configuration configuration, DatabaseSettings settings) {
        var known = new TreeSet<>(settings.destinations());
        configuration.destinations(settings).stream()
                .flatMap(KnownEntities::paths)
                .forEach(known::add);
        configuration.consumers().stream()
                .map(ConsumerSettings::entity)
                .map(entity -> entity.replaceFirst("/", SUBSCRIPTIONS))
                .forEach(known::add);
        return known;
    }

    private static Stream<String> paths(DestinationSettings destination) {
        String path = destination.place().entity();
        return Stream.concat(
                Stream.of(path),
                destination.subscriptions().keySet().stream().map(name -> path + SUBSCRIPTIONS + name));
    }

    private static boolean hasLetters(String path, DatabaseSettings settings, DSLContext dsl) {
        return dsl.fetchSingle(
                        "select exists (select from %s.dead_letter where entity = {0})".formatted(settings.schema()),
                        val(path))
                .get(0, Boolean.class);
    }

    private static final String SUBSCRIPTIONS = "/Subscriptions/";

    private static final String NAMES = """
            select entity from %1$s.dead_letter_entity
            union select destination from %1$s.outbox_destination
            union select entity from %1$s.outbox_destination where entity is not null
            union select unnest(former_entities) from %1$s.outbox_destination
            """;

    private static final String OF_LETTERS = "select distinct entity from %1$s.dead_letter";
}
