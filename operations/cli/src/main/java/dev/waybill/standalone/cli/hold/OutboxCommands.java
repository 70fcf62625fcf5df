package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.HoldSide;
import picocli.CommandLine.Command;

@Command(name = "outbox", description = "Messages that the broker would not take.")
public final class OutboxCommands extends HoldCommands {
    @Override
    HoldSide side() {
        return HoldSide.OUTBOX;
    }
}
