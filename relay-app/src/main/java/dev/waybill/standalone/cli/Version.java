package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"waybill-relay " + text()};
    }

    static String text() {
        return ProgramVersion.text();
    }
}
