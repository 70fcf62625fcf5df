package dev.waybill.proof;

import dev.waybill.proof.nemesis.Nemeses;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
        name = "proof",
        mixinStandardHelpOptions = true,
        description = "Runs Waybill through every disaster, and proves that nothing was lost, doubled or out of order.",
        subcommands = {RunCommand.class, PlantCommand.class, Proof.NemesesCommand.class})
public final class Proof {
    private Proof() {}

    /** Exit codes: 0 the proof holds, 1 it does not, 2 wrong usage. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Proof()).execute(arguments));
    }

    @Command(name = "nemeses", description = "Lists what --nemesis takes.")
    static final class NemesesCommand implements Runnable {
        @Override
        public void run() {
            Nemeses.all().forEach(nemesis -> System.out.println(nemesis.name()));
        }
    }
}
