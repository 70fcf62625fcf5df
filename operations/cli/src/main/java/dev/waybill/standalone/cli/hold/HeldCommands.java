package dev.waybill.standalone.cli.hold;

import dev.waybill.hold.HoldSide;
import picocli.CommandLine.Command;

@Command(name = "held", description = "Messages that a handler could not handle.")
final class HeldCommands extends HoldCommands {
    @Override
    HoldSide side() {
        return HoldSide.INBOX;
    }
}
