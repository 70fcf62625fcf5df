package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.message.BodyText;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a verb shows bodies, and how much of each. */
public final class BodyOptions {
    private static final int DEFAULT_LIMIT = 4_096;

    @Option(names = "--body", description = "Show bodies too: as text, or as bytes if it is none.")
    private boolean shown;

    @Option(
            names = "--body-limit",
            converter = ArgumentConverters.PositiveInt.class,
            paramLabel = "BYTES",
            description = "How much of each (4096).")
    private @Nullable Integer limit;

    /** Throws an {@link IllegalArgumentException} for a limit of what is not shown. */
    public void check() {
        if (limit != null && !shown) {
            throw new IllegalArgumentException("--body-limit needs --body");
        }
    }

    public boolean isShown() {
        return shown;
    }

    public int limit() {
        return limit == null ? DEFAULT_LIMIT : limit;
    }

    /** A body for programs, or the sentence that says why there is none. */
    public static Map<String, Object> json(BodyText body, Optional<String> missing) {
        return Output.row("text", body.text(), "hex", body.hex(), "cut", body.isCut(), "missing", missing);
    }
}
