package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.Holds;
import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.config.Suggestion;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Selects a hold by number, or by session or message. */
final class HoldChoice {
    private static final int SUGGESTED = 20;

    @Parameters(
            index = "0",
            paramLabel = "HOLD",
            description = "The hold's id, as list shows it; or, with --session or --message, the destination of an"
                    + " outbox hold, the consumer of an inbox hold.")
    @SuppressWarnings("NullAway.Init")
    private String hold;

    @Option(
            names = "--session",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "ID",
            description = "The held session, or the held message's.")
    private @Nullable String session;

    @Option(
            names = "--message",
            converter = ArgumentConverters.GivenText.class,
            paramLabel = "ID",
            description = "The logical id of a message that is held alone.")
    private @Nullable String message;

    /**
     * Rejects arguments that name no hold.
     *
     * @throws IllegalArgumentException without an id, a session or a message
     */
    public void check() {
        if (isId() && !hold.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("'" + hold + "' alone names no hold: give the id that list shows, or"
                    + " --session or --message beside the destination or consumer");
        }
    }

    Hold in(Holds holds, HoldSide side) {
        if (isId()) {
            return holds.show(Long.parseLong(hold))
                    .orElseThrow(() -> new NoSuchElementException("There is no hold " + hold + " of the "
                            + (side == HoldSide.OUTBOX ? "outbox" : "inbox") + ids(holds)));
        }
        var key = new HoldKey(side, hold, session, message);
        return holds.show(key)
                .orElseThrow(() -> new NoSuchElementException("There is no hold of the " + key + like(holds, key)));
    }

    private static String ids(Holds holds) {
        String ids = first(holds).map(held -> String.valueOf(held.id())).collect(Collectors.joining(", "));
        return ids.isEmpty() ? "; nothing is held" : "; there are " + ids;
    }

    private static String like(Holds holds, HoldKey wrong) {
        return Suggestion.among(first(holds).map(held -> held.key().toString()).toList(), wrong.toString());
    }

    private static Stream<Hold> first(Holds holds) {
        return holds.page(0, SUGGESTED).rows().stream();
    }

    private boolean isId() {
        return session == null && message == null;
    }
}
