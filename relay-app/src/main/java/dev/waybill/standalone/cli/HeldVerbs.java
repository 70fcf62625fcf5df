package dev.waybill.standalone.cli;

import dev.waybill.hold.Side;
import picocli.CommandLine.Command;

@Command(name = "held", description = "Messages that a handler could not handle.")
final class HeldVerbs extends HoldVerbs {
    @Override
    Side side() {
        return Side.INBOX;
    }
}
