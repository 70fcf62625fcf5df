package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.message.BodyText;
import java.util.Map;
import picocli.CommandLine.Option;

/** Whether a verb shows bodies, and how much of each. */
public final class BodyOptions {
    @Option(names = "--body", description = "Show bodies too: as text, or as bytes if it is none.")
    private boolean shown;

    @Option(
            names = "--body-limit",
            defaultValue = "4096",
            converter = ArgumentConverters.PositiveInt.class,
            paramLabel = "BYTES",
            description = "How much of each (4096).")
    private int limit;

    public boolean isShown() {
        return shown;
    }

    public int limit() {
        return limit;
    }

    public static Map<String, Object> json(BodyText body) {
        return Output.row("text", body.text(), "hex", body.hex(), "cut", body.isCut());
    }
}
