package dev.waybill.standalone.cli;

import dev.waybill.hold.Side;
import picocli.CommandLine.Command;

@Command(name = "outbox", description = "Messages that the broker would not take.")
final class OutboxVerbs extends HoldVerbs {
    @Override
    Side side() {
        return Side.OUTBOX;
    }
}
