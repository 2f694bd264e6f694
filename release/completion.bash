# Completion of manafold for bash. Sourced by name, or by hand.
_manafold() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
        --data)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            ;;
        --lab | run)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            ;;
        --report) mapfile -t COMPREPLY < <(compgen -W "junit tap" -- "$word") ;;
        junit | tap)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            ;;
        -c) mapfile -t COMPREPLY < <(compgen -W "@COMMANDS@" -- "$word") ;;
        *)
            mapfile -t COMPREPLY < <(compgen -W "--data --lab -c run --keep-going --report --headless attach --help \
                --version --java --vm" -- "$word")
            ;;
    esac
}
complete -F _manafold manafold
