package dev.waybill.standalone.cli;

import dev.waybill.hold.Side;
import picocli.CommandLine.Command;

@Command(
        name = "outbox",
        mixinStandardHelpOptions = true,
        description = "Messages that the broker would not take.",
        subcommands = {
            OutboxVerbs.List.class,
            OutboxVerbs.Show.class,
            OutboxVerbs.Retry.class,
            OutboxVerbs.Release.class,
            OutboxVerbs.Skip.class,
            OutboxVerbs.Edit.class
        })
final class OutboxVerbs {
    @Command(name = "list", description = "Lists what is held.")
    static final class List extends HoldVerbs.Listing {
        List() {
            super(Side.OUTBOX);
        }
    }

    @Command(name = "show", description = "Shows a hold with its messages and its history.")
    static final class Show extends HoldVerbs.Show {
        Show() {
            super(Side.OUTBOX);
        }
    }

    @Command(name = "retry", description = "Lets a hold be tried, now or after a rest; attempts go on counting.")
    static final class Retry extends HoldVerbs.Retry {
        Retry() {
            super(Side.OUTBOX);
        }
    }

    @Command(name = "release", description = "Lets a hold go, with attempts counted anew.")
    static final class Release extends HoldVerbs.Release {
        Release() {
            super(Side.OUTBOX);
        }
    }

    @Command(name = "skip", description = "Takes a message out for good; the audit keeps it.")
    static final class Skip extends HoldVerbs.Skip {
        Skip() {
            super(Side.OUTBOX);
        }
    }

    @Command(name = "edit", description = "Changes what a message says; the audit keeps the original.")
    static final class Edit extends HoldVerbs.Edit {
        Edit() {
            super(Side.OUTBOX);
        }
    }
}
