package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.KnownEntities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects dead letters by arguments. */
final class DeadLetterChoice {
    private static final int MOST_NAMED = 20;

    @Option(
            names = "--id",
            paramLabel = "ID",
            split = ",",
            converter = ArgumentConverters.NonNegativeLong.class,
            description = "By their numbers here.")
    private List<Long> ids = new ArrayList<>();

    @Option(
            names = "--entity",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "PATH",
            description = "Of a queue, or of TOPIC/Subscriptions/NAME.")
    private @Nullable String entity;

    @Option(
            names = "--because",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "REASON",
            description = "With this dead-letter reason.")
    private @Nullable String because;

    @Option(
            names = "--exception",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "TYPE",
            description = "With a reason or description that names this exception.")
    private @Nullable String exception;

    @Option(
            names = "--subject",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "TEXT",
            description = "With this subject.")
    private @Nullable String subject;

    @Option(
            names = "--session",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "ID",
            description = "Of this session.")
    private @Nullable String session;

    @Option(
            names = "--message",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "ID",
            description = "With this logical id.")
    private @Nullable String message;

    @Option(
            names = "--contains",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "TEXT",
            description = "With a body that contains this text.")
    private @Nullable String text;

    @Option(
            names = "--since",
            converter = ArgumentConverters.PastTime.class,
            paramLabel = "TIME",
            description = "Collected then or later: 2026-03-01, 2026-03-01 06:00, or 2h for two hours ago.")
    private @Nullable Instant since;

    @Option(names = "--state", paramLabel = "STATE", description = "In this state: ${COMPLETION-CANDIDATES}.")
    private DeadLetter.@Nullable State state;

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    /** The selected letters; open ones by default. */
    DeadLetterFilter filter() {
        return narrowed().in(state == null ? DeadLetter.State.OPEN : state);
    }

    /**
     * The selected letters in the states that a change allows.
     *
     * @throws IllegalArgumentException if neither a filter nor {@code --all} is given, or if the change does not allow the
     *     named state
     */
    DeadLetterFilter deliberate(boolean isNarrowed, States states) {
        if (!isNarrowed && !all) {
            throw new IllegalArgumentException("Select dead letters with a filter, or give --all");
        }
        if (state == null) {
            return narrowed().in(states.preset.toArray(DeadLetter.State[]::new));
        }
        if (!states.all().contains(state)) {
            throw new IllegalArgumentException("--state " + label(state) + " cannot be meant; this is for "
                    + states.all().stream().map(DeadLetterChoice::label).collect(Collectors.joining(", ")));
        }
        return narrowed().in(state);
    }

    /** Rejects an unknown entity, and takes over the known spelling: any other would silently match nothing. */
    void requireEntity(Configuration configuration, DatabaseSettings settings, DataSource pool) {
        if (entity != null) {
            entity = KnownEntities.find(entity, configuration, settings, pool);
        }
    }

    /**
     * Reports named numbers without a dead letter; empty if all exist.
     *
     * @throws NoSuchElementException if none exists
     */
    Optional<String> missing(DeadLetters letters) {
        List<Long> missing = ids.stream()
                .filter(id -> letters.count(DeadLetterFilter.id(id)) == 0)
                .distinct()
                .sorted()
                .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String text = "There is no dead letter "
                + missing.stream().map(String::valueOf).collect(Collectors.joining(", "))
                + "; 'waybill-relay dlq list' shows their numbers";
        if (missing.size() == Set.copyOf(ids).size()) {
            throw new NoSuchElementException(text);
        }
        return Optional.of(text);
    }

    /** For a choice that has found nothing: words if no letter in any state has its texts, as after a misspelling. */
    Optional<String> unknown(DeadLetters letters) {
        boolean named =
                Stream.of(because, exception, subject, session, message, text).anyMatch(Objects::nonNull);
        return named && letters.count(texts(DeadLetterFilter.everything())) == 0
                ? Optional.of(
                        "No dead letter in any state has these texts; 'waybill-relay dlq groups' counts what there is")
                : Optional.empty();
    }

    /** The states of the numbered letters that exist; empty without numbers. */
    Optional<String> standing(DeadLetters letters) {
        List<DeadLetter.Summary> named = ids.isEmpty()
                ? List.of()
                : letters.page(DeadLetterFilter.ids(ids), 0, MOST_NAMED).rows();
        String states = named.stream()
                .map(letter -> letter.id() + " is " + label(letter.state()))
                .collect(Collectors.joining(", "));
        return states.isEmpty()
                ? Optional.empty()
                : Optional.of("Nothing to do: dead letter " + states + "; 'dlq reopen' opens it again");
    }

    private static String label(DeadLetter.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Whether a filter besides the state is given. */
    boolean isNarrowed() {
        return !ids.isEmpty()
                || entity != null
                || because != null
                || exception != null
                || subject != null
                || session != null
                || message != null
                || text != null
                || since != null;
    }

    private DeadLetterFilter narrowed() {
        DeadLetterFilter filter = texts(ids.isEmpty() ? DeadLetterFilter.everything() : DeadLetterFilter.ids(ids));
        return since == null ? filter : filter.collectedFrom(since);
    }

    private DeadLetterFilter texts(DeadLetterFilter from) {
        DeadLetterFilter filter = entity == null ? from : from.entity(entity);
        filter = because == null ? filter : filter.reason(because);
        filter = exception == null ? filter : filter.exceptionType(exception);
        filter = subject == null ? filter : filter.subject(subject);
        filter = session == null ? filter : filter.session(session);
        filter = message == null ? filter : filter.messageId(message);
        return text == null ? filter : filter.bodyContains(text);
    }

    /**
     * The source states of a change.
     *
     * @param preset by default
     * @param ifNamed only if {@code --state} names one
     */
    record States(List<DeadLetter.State> preset, List<DeadLetter.State> ifNamed) {
        static States of(DeadLetter.State... preset) {
            return new States(List.of(preset), List.of());
        }

        States orIfNamed(DeadLetter.State... others) {
            return new States(preset, List.of(others));
        }

        private List<DeadLetter.State> all() {
            return Stream.concat(preset.stream(), ifNamed.stream()).toList();
        }
    }
}
