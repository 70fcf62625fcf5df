package dev.waybill.standalone.cli;

import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which hold. */
final class HoldChoice {
    @Parameters(
            index = "0",
            paramLabel = "SCOPE",
            description = "The destination of an outbox hold, the consumer of an inbox hold.")
    @SuppressWarnings("NullAway.Init")
    private String scope;

    @Option(names = "--session", paramLabel = "ID", description = "The held session, or the held message's.")
    private @Nullable String session;

    @Option(names = "--message", paramLabel = "ID", description = "The logical id of a message that is held alone.")
    private @Nullable String message;

    HoldKey key(HoldSide side) {
        return new HoldKey(side, scope, session, message);
    }

    String scope() {
        return scope;
    }
}
