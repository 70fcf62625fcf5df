package dev.waybill.standalone.cli;

import dev.waybill.standalone.config.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The line that {@code --version} prints. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"waybill-relay " + ProgramVersion.text()};
    }
}
