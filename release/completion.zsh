#compdef manafold
# Completion of manafold for zsh.
if [[ ${words[2]} == attach && CURRENT -gt 2 ]]; then
    _arguments \
        '1:what to do:(attach)' \
        '--data[the folder of the platform that runs already]:folder:_files -/' \
        '-c[carries out commands]:commands:(@COMMANDS@)'
    return
fi
_arguments \
    '--data[where drivers, labs, logs and the history are kept]:folder:_files -/' \
    '--lab[the lab to bring up, by name or file]:lab:_files' \
    '-c[carries out commands]:commands:(@COMMANDS@)' \
    '--keep-going[with run: lines after one that failed, too]' \
    '--report[with run: writes what became of each line]:form:(junit tap):file:_files' \
    '--headless[no commands; runs until a signal ends it]' \
    '(- *)--help[what can be typed]' \
    '(- *)--version[what it is]' \
    '(- *)--java[the folder of the JDK it uses]' \
    '(- *)--vm[the options Java gets]' \
    '1::what to do:(run attach)' \
    '2::file:_files'
