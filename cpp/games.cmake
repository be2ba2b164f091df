# The registry: one word a game. A folder cpp/games/<word> with <word>.hpp, whose namespace zg::<word> holds a `Family`.
set(ZIGGURAT_GAMES blokus blox numberplace_city pylos)
