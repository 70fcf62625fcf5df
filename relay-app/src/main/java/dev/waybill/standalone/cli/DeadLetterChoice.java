package dev.waybill.standalone.cli;

import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetterState;
import dev.waybill.standalone.config.Times;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters. */
final class DeadLetterChoice {
    @Option(names = "--id", paramLabel = "ID", split = ",", description = "By their numbers here.")
    private List<Long> ids = new ArrayList<>();

    @Option(names = "--entity", paramLabel = "PATH", description = "Of a queue, or of TOPIC/Subscriptions/NAME.")
    private @Nullable String entity;

    @Option(names = "--because", paramLabel = "REASON", description = "With this dead-letter reason.")
    private @Nullable String because;

    @Option(
            names = "--exception",
            paramLabel = "TYPE",
            description = "Whose reason or description names this exception.")
    private @Nullable String exception;

    @Option(names = "--subject", paramLabel = "TEXT", description = "With this subject.")
    private @Nullable String subject;

    @Option(names = "--session", paramLabel = "ID", description = "Of this session.")
    private @Nullable String session;

    @Option(names = "--message", paramLabel = "ID", description = "With this logical id.")
    private @Nullable String message;

    @Option(names = "--contains", paramLabel = "TEXT", description = "Whose body contains this text.")
    private @Nullable String text;

    @Option(names = "--since", paramLabel = "TIME", description = "Collected not longer ago than this: 1h, 7d.")
    private @Nullable String since;

    @Option(names = "--state", paramLabel = "STATE", description = "${COMPLETION-CANDIDATES} (OPEN).")
    private @Nullable DeadLetterState state;

    @Option(names = "--all", description = "All of them.")
    private boolean all;

    /** Those that were chosen; open ones unless told otherwise. */
    DeadLetterFilter filter() {
        return filter(DeadLetterState.OPEN);
    }

    DeadLetterFilter filter(DeadLetterState preset) {
        DeadLetterFilter filter = (ids.isEmpty() ? DeadLetterFilter.everything() : DeadLetterFilter.ids(ids))
                .in(state == null ? preset : state);
        filter = entity == null ? filter : filter.entity(entity);
        filter = because == null ? filter : filter.reason(because);
        filter = exception == null ? filter : filter.exceptionType(exception);
        filter = subject == null ? filter : filter.subject(subject);
        filter = session == null ? filter : filter.session(session);
        filter = message == null ? filter : filter.messageId(message);
        filter = text == null ? filter : filter.bodyContains(text);
        return since == null
                ? filter
                : filter.collectedFrom(InstantSource.system().instant().minus(Times.parse(since)));
    }

    /** Refuses to mean everything unless that was said. */
    DeadLetterFilter deliberate() {
        boolean nothing = ids.isEmpty()
                && entity == null
                && because == null
                && exception == null
                && subject == null
                && session == null
                && message == null
                && text == null
                && since == null;
        if (nothing && !all) {
            throw new IllegalArgumentException("Say which dead letters, or --all");
        }
        return filter();
    }

    /** What is named to whoever is to confirm. */
    String name() {
        return entity != null ? entity : ids.isEmpty() ? "all" : ids.get(0).toString();
    }
}
