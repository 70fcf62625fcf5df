package dev.waybill.standalone.cli.deadletter;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.deadletter.DeadLetterChoice.States;
import dev.waybill.standalone.config.DatabaseSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verbs that delete content of dead letters. */
final class DlqRemovalCommands {
    private DlqRemovalCommands() {}

    @Command(
            name = "redact",
            description = "Takes out what they say, or some fields of it, here, in former versions and in the"
                    + " archive. They can be neither edited nor re-driven any more. Exit code 10 if some letters"
                    + " stay as they are, or no letter has the fields.")
    static final class Redact extends DlqBulkCommand {
        @Option(
                names = "--field",
                paramLabel = "NAME",
                description = "Only this field; may be repeated: body, description, subject, content-type,"
                        + " correlation-id, to, reply-to, reply-to-session, partition-key, property:NAME, or a path"
                        + " in a body that is JSON, body:/customer/email or body:/items/*/name.")
        private List<String> fields = new ArrayList<>();

        private List<Long> refused = List.of();
        private boolean absent;

        Redact() {
            super("redacted", States.of(DeadLetter.State.values()));
        }

        @Override
        protected void checkArguments() {
            super.checkArguments();
            if (!fields.isEmpty()) {
                DeadLetterArchive.checkFields(fields);
            }
        }

        @Override
        boolean isFinal() {
            return true;
        }

        @Override
        boolean asksTheArchive() {
            return true;
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            var archive = DeadLetterArchive.in(pool, settings.schema());
            if (fields.isEmpty()) {
                return archive.redact(filter, instruction());
            }
            DeadLetterArchive.RedactionReport report = archive.redact(filter, fields, instruction());
            refused = report.refused();
            absent = report.redacted() == 0 && refused.isEmpty() && !archive.wasRedacted(filter, fields);
            if (absent) {
                warn("Nothing was redacted: no letter of the choice has " + String.join(", ", fields)
                        + ", or has lost it before; 'waybill-relay dlq show ID' shows what a letter has");
            }
            return report.redacted();
        }

        @Override
        void describe(Map<String, Object> answer) {
            answer.put("refused", output().isJson() ? refused : summary(refused));
        }

        private static String summary(List<Long> ids) {
            String first = ids.stream().limit(10).map(String::valueOf).collect(Collectors.joining(", "));
            return ids.isEmpty() ? "0" : ids.size() + " (" + first + (ids.size() > 10 ? ", …)" : ")");
        }

        @Override
        boolean isIncomplete() {
            return !refused.isEmpty() || absent;
        }
    }

    @Command(
            name = "expire",
            description = "Removes archived ones for good: those that were kept for their time, or with --older-than"
                    + " those that were archived so long ago.")
    static final class Expire extends DlqBulkCommand {
        @Option(
                names = "--older-than",
                converter = ArgumentConverters.Age.class,
                paramLabel = "TIME",
                description = "Archived longer ago than this, whether their time is over or not: 90d.")
        private @Nullable Duration olderThan;

        Expire() {
            super("expired", States.of(DeadLetter.State.ARCHIVED));
        }

        @Override
        DeadLetterFilter filter() {
            DeadLetterFilter chosen = super.filter();
            return olderThan == null ? chosen.keptForItsTime() : chosen.unchangedFor(olderThan);
        }

        @Override
        boolean isNarrowed() {
            return super.isNarrowed() || (olderThan != null && !olderThan.isZero());
        }

        @Override
        boolean isFinal() {
            return true;
        }

        @Override
        boolean asksTheArchive() {
            return true;
        }

        @Override
        int apply(DatabaseSettings settings, DataSource pool, DeadLetterFilter filter) {
            return DeadLetterArchive.in(pool, settings.schema()).expire(filter, instruction());
        }
    }
}
