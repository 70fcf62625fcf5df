package dev.waybill.standalone.cli;

import dev.waybill.journey.Journey;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.message.TraceTexts;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "trace",
        description = "Shows the journey of a message: everything that the database tells of it, in order, and how each"
                + " thing is known.")
final class TraceCommand extends DatabaseCommand {
    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init")
    private Subject subject;

    @Option(
            names = "--limit",
            defaultValue = "1000",
            converter = ArgumentConverters.RowLimit.class,
            paramLabel = "N",
            description = "How many entries; the latest are shown (1000).")
    private int limit;

    @Option(
            names = "--timeout",
            defaultValue = "30s",
            converter = ArgumentConverters.PositiveDuration.class,
            paramLabel = "TIME",
            description = "How long a look at one table may take (30s).")
    @SuppressWarnings("NullAway.Init")
    private Duration timeout;

    static final class Subject {
        @Parameters(paramLabel = "ID", description = "The message's logical id.")
        private @Nullable String message;

        @Option(names = "--session", paramLabel = "SESSION", description = "All messages of a session.")
        private @Nullable String session;

        @Option(names = "--broker-id", paramLabel = "ID", description = "By the MessageId on the broker.")
        private @Nullable String brokerId;

        @Option(
                names = "--trace-id",
                paramLabel = "ID",
                description = "By the trace of the transaction that appended the message.")
        private @Nullable String traceId;

        SearchTerm sought() {
            if (message != null) {
                return SearchTerm.message(message);
            }
            if (session != null) {
                return SearchTerm.session(session);
            }
            return brokerId != null ? SearchTerm.brokerId(brokerId) : SearchTerm.traceId(String.valueOf(traceId));
        }
    }

    // Tables without events still produce a partial trace.
    @Override
    protected boolean needsTables() {
        return false;
    }

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) {
        Journey journey = Journeys.in(pool, settings.schema()).within(timeout).of(subject.sought(), limit);
        if (journey.entries().isEmpty()) {
            throw new NoSuchElementException(nothing(journey));
        }
        Output output = output();
        if (output.isJson()) {
            output.object(TraceRows.json(journey));
        } else {
            output.table(TraceRows.table(journey), "");
            notes(journey).forEach(output::say);
        }
        return ExitCode.OK;
    }

    private static List<String> notes(Journey journey) {
        String cut = journey.cut()
                ? "Left out, the earliest first: " + TraceTexts.leftOut(journey) + ". --limit shows more."
                : "";
        String recorded = TraceTexts.recorded(journey.record().state());
        return Stream.of(cut, recorded).filter(note -> !note.isEmpty()).toList();
    }

    private static String nothing(Journey journey) {
        SearchTerm sought = journey.term();
        String text = "Nothing is known of " + name(sought.kind()) + " '" + sought.text() + "'";
        if (journey.elsewhere().isEmpty()) {
            return text + ". " + unseen(sought.kind(), journey);
        }
        return text + ". Did you mean "
                + journey.elsewhere().stream()
                        .sorted()
                        .map(kind -> option(kind) + "'" + sought.text() + "'")
                        .collect(Collectors.joining(" or "))
                + "?";
    }

    private static String unseen(SearchTerm.Kind kind, Journey journey) {
        return Stream.of(
                        "The database does not see what is on the broker alone, nor a dead letter before a collector takes it.",
                        "A message whose transaction is open or prepared is not committed yet: 'doctor' names one that others wait for.",
                        kind == SearchTerm.Kind.SESSION
                                ? "Of a message that was handled it keeps the id, and not the session: trace its id."
                                : "",
                        TraceTexts.recorded(journey.record().state()))
                .filter(note -> !note.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String name(SearchTerm.Kind kind) {
        return switch (kind) {
            case MESSAGE -> "a message";
            case SESSION -> "a session";
            case BROKER_ID -> "the broker id";
            case TRACE_ID -> "the trace";
        };
    }

    private static String option(SearchTerm.Kind kind) {
        return kind == SearchTerm.Kind.MESSAGE
                ? "trace "
                : "--" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " ";
    }

    static Map<String, Object> sought(SearchTerm sought) {
        return Output.row(
                "kind", sought.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'), "text", sought.text());
    }
}
